import type { LintFinding, LintRule } from "@xworkmate/contracts";

/** The order of findings, the gravest first: text that reveals a secret, deceives the reader, fetches something, or only looks wrong. */
const order: Readonly<Record<LintRule, number>> = {
	secret: 0,
	credentials: 1,
	link_text: 2,
	bidi: 3,
	invisible: 4,
	remote_image: 5,
	too_long: 6,
	table: 7,
	code_fence: 8,
	heading: 9,
	bullet: 10,
};

/** All findings, the gravest first. Findings of the same kind stay in the order of the text. */
export function gravestFirst(findings: readonly LintFinding[]): readonly LintFinding[] {
	return findings.toSorted((one, other) => order[one.rule] - order[other.rule]);
}
