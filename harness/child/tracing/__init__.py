"""Recording a plugin's life."""
