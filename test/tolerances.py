"""Every tolerance that the tests use, named once."""

#: Agreement with the reference library, relative to the largest entry (or absolute below one).
REL = 1e-9

#: The same, for the main algorithms by whatever path they are called.
PATHS = 1e-10

#: Identities within this library: only rounding separates the two sides.
IDENTITY = 1e-11

#: Round trips through exp and log on the manifold.
MANIFOLD = 1e-10

#: exp, log and their Jacobians against a 50-digit reference, relative.
LIE = 1e-14

#: Analytical derivatives against central differences with a step of 1e-6.
DIFFERENCES = 1e-6

#: The same numbers summed in another order.
ROUNDING = 1e-14
