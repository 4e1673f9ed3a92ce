/**
 * The words of a command that opens a file, such as `code -g {file}:{line}`. Quotes keep a word together; no other shell syntax is
 * supported.
 * @returns the words, or a message that says what is wrong with the command
 */
export function editorWords(command: string): readonly string[] | string {
	const words: string[] = [];
	let word: string | undefined;
	let quote: string | undefined;
	for (const character of command) {
		if (quote !== undefined) {
			if (character === quote) quote = undefined;
			else word += character;
		} else if (character === '"' || character === "'") {
			quote = character;
			word ??= "";
		} else if (/\s/.test(character)) {
			if (word !== undefined) words.push(word);
			word = undefined;
		} else word = (word ?? "") + character;
	}
	if (quote !== undefined) return "must close every quote";
	if (word !== undefined) words.push(word);
	const [program = ""] = words;
	if (program === "") return "must begin with a program, as in code -g {file}:{line}";
	// With `{file}` as the program, the opened file itself would be run.
	return /[{}]/.test(program) ? "must begin with a program, and not with {file}" : words;
}
