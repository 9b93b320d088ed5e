% The worker of Octave, 7 and newer: octave-cli worker.m REQUESTS REPLIES, two descriptors. With worker_files.m it is
% what docs/protocol.md says, with Octave's own functions alone. Of these names none is the user's: a source file
% becomes a function file of its own, whose functions no other file sees, and which sees none of these.
1;

% ---- arrays ---------------------------------------------------------------------------------------

function value = harness_argument(about, in)
  shape = double(about.shape(:)).';
  type = about.dtype;
  count = prod([1, shape]);
  switch (type)
    case "bool"
      flat = logical(harness_bytes(in, count));
    case {"complex64", "complex128"}
      real_type = merge(strcmp(type, "complex64"), "single", "double");
      both = typecast(harness_bytes(in, 2 * count * (1 + strcmp(real_type, "double")) * 4), real_type);
      flat = complex(both(1:2:end), both(2:2:end));
    case {"float32", "float64"}
      real_type = merge(strcmp(type, "float32"), "single", "double");
      flat = typecast(harness_bytes(in, count * (4 + 4 * strcmp(type, "float64"))), real_type);
    case {"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"}
      flat = typecast(harness_bytes(in, count * str2double(regexprep(type, '\D', "")) / 8), type);
    case {"float16", "bfloat16"}
      harness_bytes(in, 2 * count);
      value = struct("lacking", ["Octave has no " type]);
      return;
    otherwise
      error("an array of the unknown dtype %s", type);
  end
  % Sent with the last index fastest; Octave's first index runs fastest. A vector is a column.
  switch (numel(shape))
    case {0, 1}
      value = reshape(flat, count, 1);
    otherwise
      value = permute(reshape(flat, fliplr(shape)), numel(shape):-1:1);
  end
end

function bytes = harness_bytes(in, count)
  bytes = fread(in, count, "*uint8");
  if (numel(bytes) < count)
    exit(0);
  end
end

% What the protocol says of an array, and its bytes; what is none is an error of kind value.
function [about, bytes] = harness_given(value, before)
  if (! (isnumeric(value) || islogical(value)))
    error("harness:value", "%s%s is returned, and an array of numbers is expected", before, harness_described(value));
  end
  value = full(value);
  about = struct("dtype", "", "shape", size(value), "order", "F");
  type = class(value);
  if (iscomplex(value))
    about.dtype = merge(strcmp(type, "single"), "complex64", "complex128");
    flat = [real(value(:)).'; imag(value(:)).'](:);
  else
    known = struct("logical", "bool", "double", "float64", "single", "float32");
    about.dtype = type;
    if (isfield(known, type))
      about.dtype = known.(type);
    end
    flat = value(:);
  end
  if (islogical(flat))
    flat = uint8(flat);
  end
  bytes = typecast(flat, "uint8")(:);
end

function text = harness_described(value)
  if (ischar(value))
    text = ["the text '" value(:, 1:min(end, 40))(:).' "'"];
  elseif (is_function_handle(value))
    text = "a function";
  elseif (iscell(value))
    text = sprintf("a cell array of %d", numel(value));
  else
    text = ["a " class(value)];
  end
end

% JSON in which whole numbers are written as such: jsonencode writes 1000000.0 from a million on, and takes no integers.
function text = harness_json(value)
  text = jsonencode(value);
  % In texts, of which each may be long, nothing is changed.
  outside = mod(cumsum(regexprep(text, '\\.', "__") == '"'), 2) == 0;
  at = regexp(text, '(?<=\d)\.0(?=[,\]}]|$)');
  at = at(outside(at));
  text([at, at + 1]) = [];
end

% ---- frames ---------------------------------------------------------------------------------------

% A line of a pipe. fgets looks for one more byte behind a line's end, and would wait for the next request: the
% pipe does not make it wait, once the line's first byte is there. An empty array is the end of input.
function line = harness_read_line(in)
  line = fread(in, 1, "uint8=>char").';
  while (! isempty(line) && line(end) != "\n")
    fcntl(in, F_SETFL, O_NONBLOCK);
    part = fgets(in);
    fclear(in);
    fcntl(in, F_SETFL, 0);
    if (! ischar(part))
      part = fread(in, 1, "uint8=>char").';
      if (isempty(part))
        line = [];
      end
    end
    line = [line part];
  end
end

function harness_reply(out, reply, pieces)
  fwrite(out, uint8([harness_json(reply) "\n"]));
  for piece = pieces
    fwrite(out, piece{1});
  end
  fflush(out);
end

function about = harness_runtime()
  blas = "";
  try
    blas = version("-blas");
  end
  if (strncmp(blas, "unknown", 7))
    blas = "";
  end
  about = struct("language", "Octave", "version", OCTAVE_VERSION, "hosting", "process", "libraries", struct(), ...
    "blas", blas, "threads", 1, "scalars", false, "vectors", false, "platform", computer());
  about.dtypes = {"float64", "float32"};
end

% The result of a request, its arrays and their bytes.
function [result, about, pieces, files] = harness_answer(request, arguments, files)
  about = {};
  pieces = {};
  params = struct();
  if (isfield(request, "params"))
    params = request.params;
  end
  switch (request.method)
    case "hello"
      if (params.protocol != 1)
        error("harness:protocol", "this worker speaks version 1 of the protocol");
      end
      result = struct("protocol", 1, "runtime", harness_runtime());
    case "load"
      [file, problems] = harness_load(params, numel(files) + 1);
      files{end + 1} = file;
      result = struct("handle", sprintf("h%d", numel(files)), "problems", {problems});
    case "call"
      number = sscanf(params.handle, "h%d");
      if (! (isscalar(number) && number >= 1 && number <= numel(files)))
        error("harness:protocol", "unknown handle %s", params.handle);
      end
      [seconds, values] = harness_call(files{number}, params, arguments);
      for at = 1:numel(values)
        before = "";
        if (numel(values) > 1)
          before = sprintf("value %d of %d: ", at, numel(values));
        end
        [about{at}, pieces{at}] = harness_given(values{at}, before);
      end
      result = struct("seconds", seconds);
    case "bye"
      result = struct();
    otherwise
      error("harness:protocol", "unknown method %s", request.method);
  end
end

function about = harness_error(fault)
  if (strcmp(fault.identifier, "harness:told"))
    about = jsondecode(fault.message, "makeValidName", false);
    return;
  end
  kind = "protocol";
  if (! isempty(regexp(fault.identifier, '^harness:', "once")))
    kind = fault.identifier(9:end);
  end
  about = struct("kind", kind, "message", strjoin(strsplit(strtrim(fault.message)), " "));
  at = regexp(about.message, '^line (\d+) is not UTF-8', "tokens", "once");
  if (! isempty(at))
    about.line = str2double(at{1});
  end
end

function text = harness_valid(text)
  try
    native2unicode(uint8(text), "utf-8");
  catch
    text(text > 127) = "?";
  end
end

function harness_serve(requests, replies)
  in = fopen(sprintf("/dev/fd/%d", requests), "r");
  out = fopen(sprintf("/dev/fd/%d", replies), "w");
  files = {};
  method = "";
  while (! strcmp(method, "bye"))
    line = harness_read_line(in);
    if (isempty(line))
      break;
    end
    request = jsondecode(line, "makeValidName", false);
    arguments = {};
    if (isfield(request, "arrays"))
      % Objects that have the same keys are an array of structs.
      for at = 1:numel(request.arrays)
        arguments{end + 1} = harness_argument(request.arrays(at), in);
      end
    end
    method = request.method;
    try
      [result, about, pieces, files] = harness_answer(request, arguments, files);
      reply = struct("id", request.id, "result", result);
      if (! isempty(about))
        reply.arrays = about;
      end
    catch fault
      about = harness_error(fault);
      about.message = harness_valid(about.message);
      if (isempty(about.message))
        about.message = "no message";
      end
      reply = struct("id", request.id, "error", about);
      pieces = {};
    end
    fflush(stdout);
    fflush(stderr);
    harness_reply(out, reply, pieces);
  end
end

source(fullfile(fileparts(mfilename("fullpath")), "worker_files.m"));
page_screen_output(false);
page_output_immediately(true);
crash_dumps_octave_core(false);
sighup_dumps_octave_core(false);
sigterm_dumps_octave_core(false);
warning("off", "Octave:shadowed-function");
harness_serve(str2double(argv(){1}), str2double(argv(){2}));
exit(0);
