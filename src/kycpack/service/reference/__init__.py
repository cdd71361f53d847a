"""The API reference: pages drawn from OpenAPI documents with the package's own files, without JavaScript."""
