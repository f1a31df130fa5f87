/** Matches the class with which Markdown names the language of code. */
const LANGUAGE_CLASS = /(?:^|\s)lang(?:uage)?-([\w+#.-]{1,30})(?:\s|$)/i;

/** The names of languages whose short names people would not use in a label. */
const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    bash: 'Bash',
    c: 'C',
    'c++': 'C++',
    cpp: 'C++',
    'c#': 'C#',
    cs: 'C#',
    csharp: 'C#',
    css: 'CSS',
    diff: 'Diff',
    dockerfile: 'Dockerfile',
    go: 'Go',
    graphql: 'GraphQL',
    html: 'HTML',
    ini: 'INI',
    java: 'Java',
    javascript: 'JavaScript',
    js: 'JavaScript',
    json: 'JSON',
    jsx: 'JSX',
    kotlin: 'Kotlin',
    less: 'Less',
    lua: 'Lua',
    makefile: 'Makefile',
    markdown: 'Markdown',
    md: 'Markdown',
    perl: 'Perl',
    php: 'PHP',
    plaintext: 'Text',
    powershell: 'PowerShell',
    py: 'Python',
    python: 'Python',
    r: 'R',
    rb: 'Ruby',
    rs: 'Rust',
    ruby: 'Ruby',
    rust: 'Rust',
    scss: 'SCSS',
    sh: 'Shell',
    shell: 'Shell',
    sql: 'SQL',
    swift: 'Swift',
    text: 'Text',
    toml: 'TOML',
    ts: 'TypeScript',
    tsx: 'TSX',
    txt: 'Text',
    typescript: 'TypeScript',
    xml: 'XML',
    yaml: 'YAML',
    yml: 'YAML',
    zsh: 'Shell',
  }),
);

/** Returns the language that the classes of a code element name, in lower case; `null` when they name none. */
export const codeLanguage = (classes: string): string | null =>
  LANGUAGE_CLASS.exec(classes)?.[1]?.toLowerCase() ?? null;

/** Returns the label of a language: its name, or what the sender called it. */
export const languageLabel = (language: string): string => NAMES.get(language) ?? language;
