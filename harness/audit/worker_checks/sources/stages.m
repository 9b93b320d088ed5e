% What the worker of Octave is checked with.
function y = same(x)
  y = x;
end

function y = corner(x)
  y = x(1, end);
end

function both = two(a, b)
  both = {b, a};
end

function y = constant()
  y = 2.5;
end

function y = boom(x)
  error("it went wrong");
end

function y = text(x)
  y = "four";
end

function void(x)
end

function y = noise(x)
  for i = 1:1000
    disp("printed noise");
  end
  y = x;
end

function y = reads(x)
  fgetl(stdin);
  y = x;
end

function y = sleeps(x)
  pause(0.2);
  y = x;
end

function y = hangs(x)
  while true
    pause(0.1);
  end
end

function y = picky(x)
  if any(x(:) < 0)
    error("negative");
  end
  y = 2 * x;
end

function both = named(x)
  both = struct("second", x + 1, "first", x);
end

function y = defaulted(x, y)
  if nargin < 2
    y = 2;
  end
  y = x .* y;
end
