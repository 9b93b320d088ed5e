# Functions of the library, each alone.

exp_x(x) = exp.(x)

exp2_x(x) = exp2.(x)

expm1_x(x) = expm1.(x)

sinh_x(x) = sinh.(x)

cosh_x(x) = cosh.(x)

tanh_x(x) = tanh.(x)

atan_x(x) = atan.(x)

asinh_x(x) = asinh.(x)

sin_angle(angle) = sin.(angle)

cos_angle(angle) = cos.(angle)

tan_angle(angle) = tan.(angle)

log_p(p) = log.(p)

log1p_p(p) = log1p.(p)

log2_p(p) = log2.(p)

log10_p(p) = log10.(p)

sqrt_p(p) = sqrt.(p)

reciprocal_p(p) = 1 ./ p

asin_r(r) = asin.(r)

acos_r(r) = acos.(r)

atanh_r(r) = atanh.(r)

square_x(x) = x .* x

cube_x(x) = x .^ 3

power(base, exponent) = base .^ exponent

angle_of(ordinate, exponent) = atan.(ordinate, exponent)
