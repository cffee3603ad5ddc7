"""What a run says of itself, form by form."""
