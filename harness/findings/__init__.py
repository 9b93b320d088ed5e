"""What a document's verdict is made of: detectors that run and measure, one module for each family."""
