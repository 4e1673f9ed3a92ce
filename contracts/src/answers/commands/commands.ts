import type { PassedCheck } from "../claims/claimed.ts";
import { BEFORE_DOCUMENT, mayBeSkipped, type ShellLine, shellLine } from "./shell-line.ts";

/** Commands that test, build, lint or type-check a project; see `passedIn`. */
const CHECKS: Readonly<Record<PassedCheck, RegExp>> = {
	tests:
		/\bgh pr checks\b|\b(?:tests?|testing|specs?|vitest|jest|pytest|mocha|rspec|phpunit|ctest|tox|nox|ava|karma|cypress|playwright)\b/iu,
	build:
		/\b(?:build|builds|building|compile|compiles|tsc|make|cmake|ninja|webpack|rollup|esbuild|vite|gradlew?|mvn|bazel|xcodebuild|javac|rustc|gcc|clang)\b|\bcargo (?:check|b)\b|\bdotnet publish\b/iu,
	lint: /\b(?:lint|lints|linter|linting|lint-staged|eslint|tslint|stylelint|oxlint|biome|ruff|clippy|flake8|pylint|rubocop|golangci-lint|shellcheck|standard|prettier|vet|check|checks|verify|validate|ci|pre-?commit)\b/iu,
	types:
		/\b(?:tsc|vue-tsc|svelte-check|types?|type-?checks?|mypy|pyright|pyre|flow|srb|check|checks|verify|validate|ci|pre-?commit|build|compile)\b/iu,
};
/** What may come before a command's program: brackets, words of the shell, variables, programs that run the rest, and a folder. */
const BEFORE =
	/^(?:[\s(){}`'"$\\!]+|(?:if|elif|while|until|then|do|else|time|sudo|env|nice|nohup|command(?=\s+[^-\s])|exec|timeout\s+\S+)\s+|\w+=\S*(?:\s+|$)|(?:\/[\w.-]+)*\/(?=[\w.-]+(?:\s|$)))/iu;
/** Programs that run another program. */
const RUNNER =
	/^(?:npx|bunx|(?:pnpm|yarn|npm|bun)\s+(?:exec|dlx|x)|uv\s+run|poetry\s+run|pipenv\s+run|bundle\s+exec|python3?\s+-m)\s+(?:-[\w-]+\s+)*/iu;
/** Programs that are given a whole command line as one word. */
const RUNS_LINES =
	/^(?:ssh|su|runuser|docker|podman|nix|nix-shell|concurrently|xvfb-run|start-server-and-test|wsl|vagrant)\s|\s-[a-z]{0,4}c\s/u;
/**
 * What a line that is given as one word only prints: that it names a check says nothing about the check. `shellLine` has replaced the
 * operators in such a line with two spaces each, so two of them end it.
 */
const PRINTED = /\b(?:echo|printf)\s(?:(?!\s\s)[^\n])*/giu;
/** A command that writes no files: it only reads, prints or waits. */
const LOOKS =
	/^(?:ls|dir|cat|head|tail|less|more|grep|rg|find|fd|pwd|wc|stat|file|du|df|ps|env|date|whoami|which|tree|diff|echo|true|sleep|cd|git (?:status|log|diff|show|branch(?!\s+(?:-[dDmMcC]|--delete|--move))|remote(?!\s+(?:add|rm|remove|rename|set))|blame|ls-files))\b(?![^\n]*(?:>|\btee\b|-delete|-exec))/iu;
/**
 * A command that only gives information about commands, defines an alias or a function, or sets up the shell, or that is only a word of the
 * shell.
 */
const TELLS =
	/^(?:(?:man|which|whereis|whatis|apropos|info|tldr|type|hash|alias|unalias|trap|help|history|unset|set|shopt|source|\.|pushd|popd)\s|(?:export|declare|local|readonly)\s+(?:-\w+\s+)*\w+(?:=|$)|command\s+-v|function\s|[\w-]+\s*\(\)|:(?:\s|$)|(?:npm|pnpm|yarn|bun|cargo|git|go|gh|docker)\s+help\b|(?:fi|done|esac|then|else|do|wait|true|false)$)/u;
/** Options with which a command only says what it would do, or how it is used. */
const WITHOUT_EFFECT =
	/\s--(?:help|dry-?run(?!=(?:false|none|no|0)(?:\s|$))|just-print|what-?if|simulate|no-act|noop|pretend)(?=[\s=)]|$)|\s-WhatIf\b|\s(?:-h|-V|--version)\s*[)}]?$|^(?:git\s+(?:push|clean|add|rm|mv)|make|rsync)\s(?:.*\s)?-[a-zA-Z]{0,8}n[a-zA-Z]{0,8}(?=\s|$)/u;
/** Programs for which `-v` prints the version. For many others, it turns on more output. */
const VERSIONED = /^(?:git|npm|pnpm|yarn|bun|node|make|tsc|vitest|jest|(?:\.\/)?gradlew?|(?:\.\/)?mvnw?)\s(?:.*\s)?-v(?:\s|$)/u;
/** A command that checks nothing, although a word in it, such as the name of a file or a package, may look like the name of a check. */
const CHECKS_NOTHING =
	/^(?:(?:git|cat|tee|printf|mkdir|touch|rm|rmdir|cp|mv|ln|chmod|chown|sed|awk|apt|apt-get|brew|curl|wget|kubectl|psql|mysql|createdb|jq|yq|say|logger|write-(?:host|output)|cmd(?:\.exe)? \/c echo)\b|\[\s|(?:node|python3?|perl|ruby|php|deno)\s+(?:eval|-[a-z]*[cepr])\b|(?:npm|pnpm|yarn|bun|pip|pip3|gem|composer|poetry|cargo|go|conda|uv)\s+(?:-[\w-]+\s+)*(?:i|install|ci|add|remove|uninstall|pkg|view|v|show|info|ls|list|ll|why|explain|config|search|docs|repo|home|outdated|audit|pack|link|init|create|new|version|get|download|doc|env)\b)/iu;
/** The shell's own `test`, in lower case: "Test the parser" may be the title of a call. */
const BUILTIN = /^test(?:\s|$)/u;
/** Options and words with which a program that tests or builds does neither. */
const LISTS =
	/\s--(?:list|list-?[tT]ests|list-?suites|collect-?only|co|no-?run|show-?[cC]onfig|show-only|setup-plan|fixtures|markers|init|print-config)(?=[\s=]|$)|\s-DskipTests|\s-Dmaven\.test\.skip|\s--\s+-v\s*$|^(?:vitest|playwright|cypress|jest)\s+(?:list|install|open|info|verify|version|init|codegen|show-\w+)\b|^ctest\s(?:.*\s)?-N\b|^go\s+test\s(?:.*\s)?-(?:list|c)\b/u;
/** Programs to which a folder or an image called "test" may be given, without running what is in it. */
const NO_TESTS =
	/^(?:eslint|prettier|biome|ruff|black|isort|flake8|mypy|pylint|tsc|shellcheck|stylelint|standard|oxlint|docker\s+(?!run\b|exec\b|compose\s+(?:run|exec|up)\b))\b/iu;

/**
 * A command from its program on, up to a here-document. A quoted text that contains white space becomes `_`, because its words are not part
 * of the command.
 */
function plainCommand(command: string): string {
	const [line = ""] = command.split(BEFORE_DOCUMENT, 1);
	let rest = withoutTexts(line);
	for (let before = BEFORE.exec(rest); before !== null; before = BEFORE.exec(rest)) rest = rest.slice(before[0].length);
	rest = rest.replace(/\s\d?>(?:&\d| ?\/dev\/null)/gu, "");
	let end = rest.length;
	while (end > 0 && " \t`'\"".includes(rest.charAt(end - 1))) end--;
	return rest.slice(0, end);
}

function withoutTexts(command: string): string {
	let plain = "";
	for (let at = 0; at < command.length; at++) {
		const character = command.charAt(at);
		const end = character === "'" || character === '"' ? command.indexOf(character, at + 1) : -1;
		if (end === -1) {
			plain += character;
			// A quotation mark without its counterpart: everything after it is kept as it is.
			if (character === "'" || character === '"') return plain + command.slice(at + 1);
			continue;
		}
		const inside = command.slice(at + 1, end);
		plain += /\s/u.test(inside) ? "_" : inside;
		at = end;
	}
	return plain;
}

/** True if a single command has no effect of its own: it says how it is used, what it would do, or what another command is. */
function isForShow(plain: string): boolean {
	const [options = ""] = plain.split(/\s--\s/u);
	return (
		[plain, plain.replace(RUNNER, "")].some((form) => TELLS.test(form) || WITHOUT_EFFECT.test(form)) ||
		VERSIONED.test(options.replace(RUNNER, ""))
	);
}

/** True if one of the commands in a line ran the check. */
export function ranCheck(check: PassedCheck, line: string): boolean {
	return shellLine(line).commands.some((command) => isCheck(check, command));
}

/** True if a single command is the check. */
export function isCheck(check: PassedCheck, command: string): boolean {
	const plain = plainCommand(command);
	const run = plain.replace(RUNNER, "");
	if (isForShow(plain) || [plain, run].some((form) => LOOKS.test(form) || CHECKS_NOTHING.test(form) || LISTS.test(form))) return false;
	const said = RUNS_LINES.test(plain) ? command.replace(PRINTED, " ") : run;
	return CHECKS[check].test(said) && !BUILTIN.test(plain) && !(check === "tests" && NO_TESTS.test(run));
}

/** Commands that always succeed. */
const ALWAYS_SUCCEEDS = /^(?:echo|printf|true|:|date|pwd|whoami|sleep|exit\s+0)(?=\s|$)/u;

/**
 * How many of a line's first commands may have failed although the line succeeded, because its last command always succeeds:
 * `git push; echo done`. Other last commands, such as `tail` and `git status`, cast no doubt on the commands before them, because agents
 * often end a line in this way.
 */
function maskedCommands({ commands, operators }: ShellLine): number {
	const last = commands.findLastIndex((command) => !/^[)}]?$/u.test(command));
	const stopsAtFailure = commands.some((command) => /^set\s.*-\w*e/u.test(command));
	if (stopsAtFailure || !ALWAYS_SUCCEEDS.test(plainCommand(commands[last] ?? ""))) return 0;
	return operators.slice(0, last).findLastIndex((operator) => operator === ";" || operator === "||" || operator === "&") + 1;
}

/**
 * The commands of a line that may have had an effect. Undefined if there are none, because all of them only look, or say what they would
 * do, as `git push --dry-run` does. `isProved`: without those that may have failed although the line succeeded. Pure.
 */
export function effectiveCommands(line: string, { isProved = false }: { readonly isProved?: boolean } = {}): string | undefined {
	const list = shellLine(line);
	const masked = isProved ? maskedCommands(list) : 0;
	const kept: string[] = [];
	let pipe: { readonly command: string; readonly looks: boolean }[] = [];
	for (const [at, command] of list.commands.entries()) {
		const plain = plainCommand(command);
		if (at >= masked && plain !== "" && !isForShow(plain) && !mayBeSkipped(list, at)) pipe.push({ command, looks: LOOKS.test(plain) });
		if (list.operators[at]?.startsWith("|") === true && list.operators[at] !== "||") continue;
		// A command that only looks is kept in a pipe, because its output may say what the next command acts on: `echo old.txt | xargs rm`.
		if (pipe.some(({ looks }) => !looks)) kept.push(pipe.map(({ command: part }) => part).join(" | "));
		pipe = [];
	}
	return kept.length === 0 ? undefined : kept.join("\n");
}
