"""Card games of other libraries, measured beside ours: in the same run, on the same core.

One file for each library says which of its loops are measured, each against which of ours, and what
is asked of the ratio. Nothing here imports a library before it is measured: what is not installed
is said to be so.
"""
