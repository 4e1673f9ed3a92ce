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
 * The command line of a reported call: the one in its input, of which only the beginning may be known. Without an input, a title that is
 * written as a command line counts as one, because some agents show commands in no other way. Undefined if none is known. Pure; depends on
 * types only, so the page can load it.
 */
export function reportedCommand(title: string, input: Preview | undefined): string | undefined {
	if (input === undefined || saysNothing(input)) return titleCommand(title);
	return input.truncated ? beginningIn(input.text) : commandOf(input);
}

/** True if an input leaves it to the title to name the command. */
export function saysNothing({ text }: Preview): boolean {
	return text === "{}" || NOTE.test(text);
}

function titleCommand(title: string): string | undefined {
	const line = title.replace(LABEL, "").trimEnd().replace(/`$/u, "");
	return PROGRAMS.test(line) ? line : undefined;
}

/** A command at the beginning of an input that was cut. */
function beginningIn(text: string): string | undefined {
	const [, word, list] = /^\{"(?:command|cmd)":(?:"((?:[^"\\]|\\.)*)|(\["(?:[^"\\]|\\.)*"(?:,"(?:[^"\\]|\\.)*")*))/u.exec(text) ?? [];
	try {
		return commandIn(JSON.parse(list === undefined ? `"${word ?? ""}"` : `${list}]`));
	} catch {
		// An escape that was cut in two.
		return undefined;
	}
}
