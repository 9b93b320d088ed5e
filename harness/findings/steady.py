"""Names whose results do not change by version: modules of arithmetic and text, functions of R and Julia."""

from __future__ import annotations

_PYTHON = """
__future__ __main__ abc array bisect builtins cmath collections contextlib copy dataclasses datetime
decimal enum fractions functools heapq itertools json math numbers numpy operator pprint pylab random re
statistics string struct textwrap torch types typing
"""
_PYTHON_VALUES = """
dateutil pytz tqdm pandas polars tabulate prettytable matplotlib mpl_toolkits seaborn IPython scipy
argparse ast asyncio atexit base64 binascii bz2 calendar cProfile codecs concurrent configparser csv ctypes
curses difflib dis doctest email errno fileinput fnmatch gc getopt glob gzip hashlib hmac html http
importlib inspect io ipaddress keyword linecache locale logging lzma mimetypes mmap multiprocessing os
pathlib pickle pickletools pkgutil platform queue resource sched secrets select selectors shelve shlex
shutil signal site socket sqlite3 ssl stat subprocess symtable sys tarfile tempfile threading time timeit
token tokenize trace traceback tracemalloc unicodedata unittest urllib uuid warnings wave weakref xml
zipfile zlib
"""
_R = """
base bookdown datasets devtools formatR graphics grDevices grid knitr manipulate markdown methods pacman pak
parallel remotes rmarkdown splines stats testthat tools utils usethis
"""
_R_VALUES = """
data.table dplyr forcats fs ggplot2 glue hms lubridate magrittr pillar plyr purrr readr readxl reshape2
rlang scales stringi stringr tibble tidyr tidyverse vctrs withr here conflicted fansi cli crayon
cowplot DT gridExtra kableExtra pander patchwork RColorBrewer viridis viridisLite xtable
"""
_JULIA = "Base Core Dates DelimitedFiles LinearAlgebra Markdown Printf SparseArrays Statistics Test Random"
_JULIA_VALUES = "BenchmarkTools CSV DataFrames InstantiateFromURL Plots PyPlot StaticArrays StatsBase"

LANGUAGE = {
    language: frozenset(names.split())
    for language, names in (("python", _PYTHON), ("r", _R), ("julia", _JULIA))
}
"""Packages whose ordinary functions of values give the same in all versions."""

VALUES = {
    language: frozenset(names.split())
    for language, names in (("python", _PYTHON_VALUES), ("r", _R_VALUES), ("julia", _JULIA_VALUES))
}
"""Packages that hold, move and show values, or ask the system: most of what they give is the same."""

_R_BASE = """
abs all any anyNA aperm append apply array as.character as.complex as.double as.factor as.integer as.list
as.logical as.matrix as.name as.numeric as.vector asin acos atan atan2 attr attributes basename beta
bitwAnd bitwOr bitwXor body break by c cat cbind ceiling character charToRaw chartr choose class colMeans
colnames colSums complete.cases complex Conj cor cos cosh crossprod cummax cummin cumprod cumsum cut
data.frame dbinom deparse det diag diff difference dim dimnames dnorm do.call double dpois droplevels
duplicated dunif else emptyenv endsWith eval exists exp expand.grid expm1 expression factor factorial FALSE
Filter Find findInterval floor for formals format formatC function gamma get get0 gregexpr grepl grep gsub
head identical identity if ifelse in Inf integer interaction intersect intToBits intToUtf8 inherits
invisible IQR is.character is.data.frame is.element is.factor is.finite is.function is.infinite is.integer
is.list is.logical is.matrix is.na is.nan is.null is.numeric is.vector isFALSE isTRUE jitter kronecker
lapply length LETTERS letters levels lgamma lbeta list list2env local log log10 log1p log2 logical
lower.tri mad make.names make.unique Map mapply match match.arg Matrix matrix max mean median merge message
Mod min missing mode month.abb month.name NA NA_character_ NA_integer_ NA_real_ names NaN nargs nchar ncol
NCOL next nlevels noquote norm nrow NROW NULL numeric numeric_version order outer paste paste0 pbinom pexp
pi plot pmatch pmax pmin pnorm polyroot ppois pretty print prod prop.table pt punif qbinom qnorm qr qt
quantile quit quote range rank rapply raw rawToChar rbind rbinom Re Im Recall Reduce regexpr regmatches rep
rep_len repeat replace require return rev rexp rgamma rle rm rnorm round row row.names rowMeans rownames
rowSums rowsum rpois runif sample sapply scale sd seq seq_along seq_len set.seed setattr setdiff setNames
shQuote sign signif sin sinh solve sort split sprintf sqrt sQuote stack startsWith stop stopifnot
storage.mode strsplit strtoi strtrim structure strwrap sub subset substr substring sum summary
suppressMessages suppressWarnings svd sweep switch t table tabulate tail tan tanh tapply tcrossprod tolower
toupper toString transform trimws TRUE trunc try tryCatch
typeof union unique unlist unname unsplit upper.tri UseMethod
utf8ToInt vapply var vector Vectorize warning which which.max which.min while with within writeLines xor
zapsmall library options suppressPackageStartupMessages read.csv read.table readLines readRDS max.col
aggregate ave density dist is.environment new.env assign environment sys.call match.call substitute bquote
parse as.Date as.POSIXct as.POSIXlt Sys.time Sys.Date difftime format.Date julian months weekdays ISOdate
strftime strptime on.exit
abline AIC anova aov arrayInd as.formula axis barplot bartlett.test BIC binom.test bitwNot bitwShiftL
bitwShiftR boxplot casefold chisq.test chol coef coefficients col confint cor.test cov curve dbeta dchisq
deviance dexp df dgamma dgeom dhyper dlnorm dnbinom dt dweibull ecdf embed environmentName fisher.test
fitted fivenum formula ftable glm hist I integrate is.complex is.double is.expression is.name
is.primitive is.symbol is.table is.unsorted isSymmetric kruskal.test ks.test layout legend lines lm
logLik mahalanobis margin.table marginSums model.matrix mtext Negate NextMethod nls optim optimize
p.adjust pairs pairwise.t.test par pbeta pchisq pf pgamma pgeom phyper plnorm pnbinom points Position
power.prop.test power.t.test predict prettyNum prop.test proportions ptukey pweibull qbeta qchisq qexp qf
qgamma qlnorm qpois qqline qqnorm quarters qunif qweibull rawConnection rcauchy rchisq reformulate
relevel reorder replicate resid residuals rgeom rhyper rlogis rnbinom rt rweibull seq.int shapiro.test
slice.index stem sys.function t.test text title TukeyHSD uniroot update var.test vcov weighted.mean
wilcox.test xtabs
unclass as.data.frame gl addmargins na.omit data.matrix cov.wt cov2cor read.delim read.delim2 read.csv2
unstack file.path drop ordered setequal inverse.rle combn hatvalues rstandard rstudent cooks.distance dffits
dfbetas nobs mcnemar.test oneway.test friedman.test poisson.test fligner.test binomial poisson gaussian
str lengths modifyList all.vars arrows segments polygon grid grey gray rgb rainbow heat.colors
colorRampPalette stripchart dotchart matplot matlines contour image pie box rect dev.off png pdf write.table
write.csv dirname is.recursive Sys.sleep as new setClass setMethod setGeneric setValidity validObject
isVirtualClass slot slotNames digamma trigamma approx approxfun spline splinefun fft convolve backsolve
forwardsolve contrasts contr.treatment contr.sum model.frame terms ts window time start end frequency
ppoints qqplot dmultinom rmultinom ISOdatetime regexec as.hexmode as.octmode mapply nchar rev
standardGeneric all.equal prcomp cutree as.dist hclust
"""
_R_DATA = """
AirPassengers airquality anscombe attitude cars ChickWeight chickwts CO2 faithful HairEyeColor infert
InsectSprays iris LifeCycleSavings longley morley mtcars Nile npk OrchardSprays PlantGrowth precip pressure
quakes sleep stackloss swiss Titanic ToothGrowth trees UCBAdmissions USArrests warpbreaks women state.name
state.abb T F
airmiles attenu austres beaver1 beaver2 BJsales BOD discoveries eurodist EuStockMarkets fdeaths Formaldehyde
freeny Indometh iris3 islands JohnsonJohnson LakeHuron ldeaths Loblolly lynx mdeaths nhtemp nottem
occupationalStatus presidents Puromycin randu rivers Seatbelts state.area state.region state.x77
sunspot.year sunspots Theoph treering UKDriverDeaths UKgas USAccDeaths USJudgeRatings
USPersonalExpenditure uspop VADeaths volcano WorldPhones WWWusage
"""
_JULIA_BASE = """
Array BigFloat BigInt Bool Char Complex Dict Float16 Float32 Float64 Int Int8 Int16 Int32 Int64 Int128
Matrix Pair Rational Set String Symbol Tuple UInt8 UInt16 UInt32 UInt64 UnitRange Vector abs abs2
accumulate all any append! argmax argmin axes cat ceil cld clamp collect complex conj convert copy copyto!
cos cosh count cross cumprod cumsum deepcopy deg2rad delete! denominator det diag diff digits div divrem
dot dropdims eachcol eachindex eachrow eltype empty! endswith enumerate error evalpoly exp extrema
factorial falses fill fill! filter filter! find findall findfirst findlast findmax findmin first fld float
floor foldl foldr foreach gcd get get! getindex haskey hcat hypot identity imag in indexin insert!
intersect inv invmod isempty iseven isfinite isinf isinteger isless isnan isodd isprime issubset join keys
kron last lcm length log log10 log1p log2 lowercase map map! mapreduce match max maximum mean median merge
min minimum minmax mod mod1 names ndims norm numerator occursin one ones pairs parse permutedims pop!
popfirst! print println prod prevpow push! pushfirst! rad2deg range real reduce rem repeat replace reshape
reverse reverse! round sign sin sinh size sort sort! sortperm split splice! sqrt startswith std step strip
string sum symdiff tan tanh tr transpose trues trunc tuple typemax typemin union unique uppercase values
var vcat vec xor zero zeros zip sum! if while for elseif return isa typeof @show @printf @sprintf
printstyled show display lstrip rstrip chomp chop isequal nextpow isapprox cbrt exp2 exp10 sinpi cospi atan
asin acos new mapslices ntuple isnothing ismissing something coalesce merge! union! setdiff setdiff! isdigit
isletter isspace ispunct titlecase uppercasefirst lowercasefirst rsplit rpad lpad ndigits bitstring isqrt
powermod binomial gcdx signbit copysign flipsign rotl90 rotr90 rot180 circshift selectdim resize! deleteat!
splice! prepend! mapfoldl mapfoldr allunique issorted partialsort searchsorted searchsortedfirst
searchsortedlast invperm Ref oftype rationalize throw ArgumentError DomainError ErrorException sind cosd tand
sincos exponent significand ldexp eps nextfloat prevfloat ncodeunits nextind prevind thisind isascii isvalid
tryparse sec csc cot cis angle Some rand randn randperm shuffle seed! Random.seed! eigen eigvals eigvecs svd
svdvals lu qr cholesky rank diagm issymmetric ishermitian isposdef Symmetric Hermitian UpperTriangular
LowerTriangular Diagonal nullspace pinv normalize factorize opnorm triu tril cor cov quantile middle
promote promote_type big ifelse UInt UInt128 Val supertype skipmissing eachmatch lastindex firstindex
broadcast popat! isuppercase islowercase isxdigit iscntrl isprint codepoint codeunits typeassert
typeintersect typejoin sortperm! partialsort! permute! floatmax floatmin expm1 asinh acosh atanh sech csch
coth asec acsc acot modf frexp fldmod fld1 mod2pi rem2pi fma muladd signed unsigned widen precision isone
isreal isabstracttype isconcretetype count_ones count_zeros leading_zeros leading_ones trailing_zeros
trailing_ones iterate
"""
BASE_NAMES = {"r": frozenset(_R_BASE.split()), "julia": frozenset(_JULIA_BASE.split())}
"""Functions and words of the languages themselves: who calls no others uses no package."""

DATA_NAMES = {"r": frozenset(_R_DATA.split()), "julia": frozenset({"pi", "im", "Inf", "NaN", "nothing"})}
"""Data and constants that come with the languages, and have not changed."""
