% The files and stages of Octave's worker, which reads this file: see worker.m.
1;

% Load a file: its lines become the functions of a function file, whose first one returns handles to the others.
function [file, problems] = harness_load(params, number)
  source = params.source;
  [text, lines] = harness_text(source);
  starts = regexp(lines, '^\s*function\s', "once");
  is_start = ! cellfun(@isempty, starts) & ! harness_in_block(lines);
  first = min([find(is_start), numel(lines) + 1]);
  names = regexp(lines(is_start), '^\s*function\s+(?:[^=(%#]*=)?\s*(\w+)', "tokens", "once");
  names = cellfun(@(name) [name{:}], names, "UniformOutput", false);
  folder = tempname();
  mkdir(folder);
  names = [names, harness_beside(source, folder)];
  stages = fieldnames(params.stages).';
  found = stages(ismember(stages, names));
  name = sprintf("harness_stages_%d", number);
  handles = strjoin(cellfun(@(stage) [stage " = @" stage ";"], found, "UniformOutput", false), " ");
  handles = regexprep(handles, '(\w+) = @', 'harness_handles.$1 = @');
  file = struct("path", source, "own", fullfile(folder, [name ".m"]), "first", first, "handles", struct());
  head = ["function harness_handles = " name "()"];
  addpath(folder);
  problem = [];
  % Functions end with a word, or where the next one begins: all of a file in one way.
  for ending = {"end", ""}
    closing = ["harness_handles = struct(); " handles " " ending{1}];
    whole = [{head}, lines(1:first - 1), {closing}, lines(first:end)];
    harness_write(file.own, [strjoin(whole, "\n") "\n"]);
    clear("-f", name);
    rehash();
    try
      file.handles = feval(name);
      problem = [];
      break;
    catch fault
      if (isempty(problem))
        problem = fault;
      end
      if (isempty(regexp(fault.message, '^parse error', "once")))
        problem = fault;
        break;
      end
    end
  end
  if (! isempty(problem))
    harness_fault("load", problem, file);
  end
  if (strcmp(ending{1}, "end"))
    harness_no_statements(source, lines, find(is_start), folder);
  end
  problems = {};
  for stage = stages
    inputs = params.stages.(stage{1});
    if (! isfield(file.handles, stage{1}))
      problems{end + 1} = struct("stage", stage{1}, "kind", "missing", "message", ["there is no function " stage{1}]);
      continue;
    end
    takes = nargin(file.handles.(stage{1}));
    % A negative number counts the parameters up to varargin.
    if (! (takes == inputs || (takes < 0 && inputs >= -takes - 1)))
      line = min([find(is_start & cellfun(@(text) any(regexp(text, ["\\<" stage{1} "\\>"])), lines)), Inf]);
      problem = struct("stage", stage{1}, "kind", "arity", "message", ...
        sprintf("%s takes %d arguments, and the stage has %d inputs", stage{1}, abs(takes + (takes < 0)), inputs));
      if (isfinite(line))
        problem.line = line;
      end
      problems{end + 1} = problem;
    end
  end
end

% Refuse a file with statements behind the end of a function: a function file has such statements, and never runs them.
% Where a function ends Octave's parser says: behind a function that has its end, one without is an error.
function harness_no_statements(source, lines, starts, folder)
  name = "harness_closed";
  probe = fullfile(folder, [name ".m"]);
  bare = regexprep(lines, '^[\s;,]*([%#].*)?$', "");
  bare(harness_in_block(lines)) = {""};
  may_close = find(harness_match(lines, '\<end(function)?\>'));
  closed = 0;
  for start = starts
    if (start <= closed)
      continue;
    end
    for last = may_close(may_close >= start)
      harness_write(probe, [strjoin([{["function " name "()"], "end"}, lines(start:last)], "\n") "\n"]);
      try
        __parse_file__(probe);
        closed = last;
        break;
      end
    end
    if (closed < start)
      break;
    end
    following = min([starts(starts > closed), numel(lines) + 1]);
    behind = closed + find(! cellfun(@isempty, bare(closed + 1:following - 1)), 1);
    if (! harness_match(lines(closed), '\<end(function)?\>[\s;,]*([%#].*)?$'))
      behind = closed;
    end
    if (! isempty(behind))
      [~, stem, suffix] = fileparts(source);
      told = sprintf("%s%s, line %d: a statement behind a function, which would never be run: %s", stem, suffix, behind, ...
        "put it before the first function, or into one");
      about = struct("kind", "load", "message", told, "line", behind);
      delete(probe);
      error("harness:told", "%s", jsonencode(about));
    end
  end
  if (exist(probe, "file"))
    delete(probe);
  end
end

% Which lines are in comments of several lines, %{ to %}, which may lie in each other.
function is = harness_in_block(lines)
  step = harness_match(lines, '^\s*[%#]\{\s*$') - harness_match(lines, '^\s*[%#]\}\s*$');
  is = false(size(lines));
  depth = 0;
  for at = find(step)
    before = depth;
    depth = max(0, depth + step(at));
    is(at:end) = depth > 0;
    is(at) = before > 0 || depth > 0;
  end
end

function is = harness_match(lines, pattern)
  is = ! cellfun(@isempty, regexp(lines, pattern, "once"));
end

function [text, lines] = harness_text(source)
  in = fopen(source, "r");
  if (in < 0)
    error("harness:load", "%s cannot be read", source);
  end
  bytes = fread(in, Inf, "*uint8").';
  fclose(in);
  % The mark that some editors put before UTF-8.
  if (numel(bytes) >= 3 && all(bytes(1:3) == [239, 187, 191]))
    bytes(1:3) = [];
  end
  at = 0;
  try
    lines = ostrsplit(char(bytes), "\n");
    for line = lines
      at++;
      if (any(line{1} > 127))
        native2unicode(uint8(line{1}), "utf-8");
      end
    end
  catch
    error("harness:load", "line %d is not UTF-8", at);
  end
  text = char(bytes);
  lines = regexprep(lines, "\r$", "");
end

% Function files in a folder that is called as the source file is: its functions see them, and nothing else does.
function names = harness_beside(source, folder)
  [where, stem] = fileparts(source);
  files = glob(fullfile(harness_plain(fullfile(where, stem)), "*.m"));
  names = {};
  if (isempty(files))
    return;
  end
  mkdir(fullfile(folder, "private"));
  for file = files.'
    [~, name] = fileparts(file{1});
    harness_write(fullfile(folder, "private", [name ".m"]), harness_text(file{1}));
    names{end + 1} = name;
  end
end

% A name without what glob takes for a pattern.
function text = harness_plain(text)
  text = regexprep(text, '([\[\]*?\\{}])', '\\$1');
end

function harness_write(path, text)
  out = fopen(path, "w");
  fwrite(out, uint8(text));
  fclose(out);
end

% Raise an error of the protocol for one of the language: its message in a line, and the line of the source file.
function harness_fault(kind, fault, file)
  line = [];
  trail = {};
  said = strjoin(strsplit(strtrim(fault.message)), " ");
  % Where in the copy it was: the line of the file itself is told beside it.
  if (strncmp(fault.identifier, "Octave:", 7))
    said = regexprep(said, ' near line \d+, column \d+', "");
  end
  near = regexp(fault.message, 'parse error near line (\d+) of file', "tokens", "once");
  if (! isempty(near))
    line = harness_line(str2double(near{1}), file);
    said = ["syntax: " strjoin(strsplit(strtrim(regexprep(fault.message, '^[^\n]*\n', "")))(1:min(end, 40)), " ")];
  end
  if (! isempty(regexp(fault.identifier, '^harness:', "once")))
    kind = fault.identifier(9:end);
  end
  for frame = fault.stack.'
    if (strcmp(frame.file, file.own))
      at = harness_line(frame.line, file);
      trail{end + 1} = sprintf("%s:%d: %s", file.path, at, regexprep(frame.name, '^.*>', ""));
      if (isempty(line))
        line = at;
      end
    end
  end
  about = struct("kind", kind, "message", said, "detail", strjoin([{said}, trail], "\n"));
  if (! isempty(line))
    about.line = line;
  end
  error(struct("message", jsonencode(about), "identifier", "harness:told", "stack", fault.stack));
end

% Before the lines of the file there is one more, and another one before its first function.
function line = harness_line(line, file)
  line = max(1, line - 1 - (line > file.first));
end

function [seconds, values] = harness_call(file, params, arguments)
  count = params.outputs;
  if (! isfield(file.handles, params.stage))
    error("harness:protocol", "no function %s was loaded with this handle", params.stage);
  end
  for argument = arguments
    if (isstruct(argument{1}))
      error("harness:call", "%s", argument{1}.lacking);
    end
  end
  own = file.handles.(params.stage);
  returns = nargout(own);
  values = cell(1, merge(returns < 0 || returns >= count, count, min(returns, 1)));
  started = tic();
  try
    [values{:}] = own(arguments{:});
  catch fault
    harness_fault("call", fault, file);
  end
  seconds = toc(started);
  if (isempty(values))
    error("harness:value", "%s returns nothing, and an array is expected", params.stage);
  end
  if (numel(values) == count && (count > 1 || ! isstruct(values{1})))
    return;
  end
  value = values{1};
  names = {};
  if (isfield(params, "names") && ! isempty(params.names))
    names = cellstr(params.names);
  end
  if (isstruct(value) && isscalar(value) && numel(names) == count)
    lost = names(! isfield(value, names));
    if (! isempty(lost))
      error("harness:value", "a struct with %s is returned: %s missing", strjoin(fieldnames(value).', ", "), ...
        strjoin(lost(:).', ", "));
    end
    values = cellfun(@(name) value.(name), names(:).', "UniformOutput", false);
  elseif (iscell(value) && count > 1 && numel(value) == count)
    values = value(:).';
  elseif (iscell(value) && count > 1)
    error("harness:value", "%d values are returned, and %d are expected", numel(value), count);
  elseif (count > 1)
    error("harness:value", "%s is returned, and %d arrays are expected: several outputs, or a cell array", ...
      harness_described(value), count);
  end
end
