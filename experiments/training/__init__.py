"""Training of agents; needs torch (``pip install "rummy500[train]"``)."""
