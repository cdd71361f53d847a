"""The pack that carries a decision, beside the pack that was decided on."""
