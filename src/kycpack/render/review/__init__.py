"""The review of one customer as a document: page one, and the sections after it."""

from kycpack.render.review.contents import ReviewContents as ReviewContents
from kycpack.render.review.contents import build_contents as build_contents
from kycpack.render.review.cover import cover_lines as cover_lines
from kycpack.render.review.inputs import CasePeople as CasePeople
from kycpack.render.review.inputs import ReviewInputs as ReviewInputs
