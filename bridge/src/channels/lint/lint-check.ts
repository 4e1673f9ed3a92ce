import { type LintFinding, type LintRule, visible, visibleWithin } from "@xworkmate/contracts";

/** What a channel objects to in a text. Pure, and linear in its length. */
export type LintCheck = (text: string) => LintFinding[];

/** The maximum number of findings of one rule: more would tell the user nothing new. */
const MOST_FINDINGS = 20;
const EXCERPT = 120;
/** The maximum number of findings that one message can carry. */
const MOST_IN_ALL = 50;

/** The first findings of several checks, in order. If the text contains a secret, only the finding for the secret quotes any of it. */
export function allOf(...checks: readonly LintCheck[]): LintCheck {
	return (text) => {
		const findings = checks.flatMap((check) => check(text));
		const shown = findings.some(({ rule }) => rule === "secret") ? findings.map(withoutExcerpt) : findings;
		return shown.slice(0, MOST_IN_ALL);
	};
}

function withoutExcerpt(finding: LintFinding): LintFinding {
	const { excerpt: _excerpt, ...rest } = finding;
	return finding.rule === "secret" ? finding : rest;
}

/** The first findings of a rule. */
export function first(findings: Iterable<LintFinding>): LintFinding[] {
	const taken: LintFinding[] = [];
	for (const finding of findings) {
		if (taken.length === MOST_FINDINGS) break;
		taken.push(finding);
	}
	return taken;
}

/** A finding at a position, whose excerpt is the line that begins there. */
export function findingAt(rule: LintRule, text: string, at: number): LintFinding {
	const [line = ""] = text.slice(at, at + EXCERPT + 1).split("\n");
	return { rule, at, excerpt: visibleWithin(line, EXCERPT) };
}

/** A text as an excerpt, with hidden characters made visible. */
export function excerptOf(text: string): string {
	return visibleWithin(text, EXCERPT);
}

/** A piece of a text with its surroundings. `hidden` is written as `\u{...}`. */
export function around(text: string, at: number, hidden: string): string {
	const before = visible(text.slice(Math.max(0, at - 20), at).replace(/^[\uDC00-\uDFFF]/, ""));
	const shown = Array.from(hidden, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`).join("");
	const after = visible(text.slice(at + hidden.length, at + hidden.length + 20).replace(/[\uD800-\uDBFF]$/, ""));
	return `${before}${shown}${after}`.slice(0, 300);
}
