"""The API reference: pages rendered from OpenAPI documents with the package's own files, without JavaScript."""
