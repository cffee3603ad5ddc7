"""Sound applications, as users write them: `pytest --plugin-app=plugin_examples.apps.service:main`."""
