"""The review of one customer as a document: what page one says, and the sections behind it."""

from kycpack.render.review.dossier import Case as Case
from kycpack.render.review.dossier import Dossier as Dossier
from kycpack.render.review.dossier import Results as Results
from kycpack.render.review.dossier import build_dossier as build_dossier
from kycpack.render.review.dossier import cover_lines as cover_lines
