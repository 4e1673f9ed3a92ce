import { commandIn, commandOf } from "./asked-name.ts";
import type { Preview } from "./tool-call.ts";

/** The programs, and the words of a shell before them, that a command line of a build or a test begins with. */
const PROGRAMS =
	/^(?:[A-Z_][A-Z0-9_]*=\S*\s+)*(?:\.{0,2}\/\S+|(?:npm|npx|pnpm|yarn|bun|bunx|deno|node|tsc|vite|vitest|jest|mocha|ava|karma|cypress|playwright|webpack|rollup|esbuild|nx|turbo|python[\d.]*|py|pytest|py\.test|tox|nox|uv|poetry|hatch|pdm|pipenv|make|cmake|ctest|ninja|meson|bazel|gradle|gradlew|mvn|sbt|ant|java|javac|kotlinc|go|gotestsum|cargo|rustc|gcc|g\+\+|clang|zig|swift|xcodebuild|dotnet|msbuild|php|phpunit|composer|ruby|rake|rspec|bundle|rails|mix|rebar3|stack|cabal|lein|dart|flutter|perl|prove|just|task|docker|podman|bash|sh|zsh|cd|git|export|source|env|time|timeout|sudo|set|echo|printf|cat|ls|rm|mkdir|cp|mv|test)(?=\s|;|$))/u;
/** What agents put in front of a command in a title: the name of their tool, or a verb. */
const LABEL = /^(?:\p{L}[\w-]*:\s+|(?:run|runs|running|ran|execut(?:e|es|ing|ed))\s+)?[`$>\s]*/iu;
/** Gemini's note about a command, which it puts in the title itself. */
const NOTE = /^\[(?:current working directory|in) /;

/**
 * The command line of a reported call: the one in its input, of which only the beginning may be known. If there is no input, or the input
 * says nothing, a title that is written as a command line counts as one, because some agents show commands only there. Undefined if none is
 * known. Pure; depends on types only, so the page can load it.
 */
export function reportedCommand(title: string, input: Preview | undefined): string | undefined {
	return reportedLine(title, input)?.command;
}

/** A command line that an agent reported. */
export interface ReportedLine {
	readonly command: string;
	/** True if only the beginning of the command is known, so that anything may follow. */
	readonly isCut: boolean;
}

/** The command line as `reportedCommand` finds it, and whether it is complete. */
export function reportedLine(title: string, input: Preview | undefined): ReportedLine | undefined {
	if (input === undefined || saysNothing(input)) return titleCommand(title);
	if (input.truncated) return beginningIn(input.text);
	const command = commandOf(input);
	return command === undefined ? undefined : { command, isCut: false };
}

/** True if an input does not contain the command, so that only the title can. */
export function saysNothing({ text }: Preview): boolean {
	return text === "{}" || NOTE.test(text);
}

function titleCommand(title: string): ReportedLine | undefined {
	const line = title.replace(LABEL, "").trimEnd().replace(/`$/u, "");
	// In a receipt, a title is on one line: `visible` has written its line breaks as text.
	return PROGRAMS.test(line) ? { command: line.replaceAll("\\u{a}", "\n"), isCut: line.endsWith("…") } : undefined;
}

/** A command at the beginning of an input that was cut off. */
function beginningIn(text: string): ReportedLine | undefined {
	const [found = "", word, list] =
		/^\{"(?:command|cmd)":(?:"((?:[^"\\]|\\.)*)|(\["(?:[^"\\]|\\.)*"(?:,"(?:[^"\\]|\\.)*")*))/u.exec(text) ?? [];
	try {
		const command = commandIn(JSON.parse(list === undefined ? `"${word ?? ""}"` : `${list}]`));
		return command === undefined ? undefined : { command, isCut: text.charAt(found.length) !== (list === undefined ? '"' : "]") };
	} catch {
		// An escape that was cut in two.
		return undefined;
	}
}
