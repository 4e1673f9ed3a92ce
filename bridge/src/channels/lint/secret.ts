import type { LintFinding, Redaction } from "@xworkmate/contracts";
import { excerptOf, type LintCheck } from "./lint-check.ts";

/** Invisible characters, which are removed before the second search: one inside a secret would hide it. */
const HIDDEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const BEFORE = 30;

/** Finds known secrets, and text that looks like a secret. The finding quotes neither. */
export function secret(redaction: Pick<Redaction, "text">): LintCheck {
	return (text) => {
		const found = difference(text, redaction.text(text));
		if (found !== undefined) return [found];
		const seen = text.replace(HIDDEN, "");
		const { excerpt } = (seen === text ? undefined : difference(seen, redaction.text(seen))) ?? {};
		return excerpt === undefined ? [] : [{ rule: "secret", excerpt }];
	};
}

function difference(text: string, redacted: string): LintFinding | undefined {
	if (text === redacted) return undefined;
	let at = 0;
	while (text[at] === redacted[at]) at++;
	return { rule: "secret", at, excerpt: excerptOf(redacted.slice(Math.max(0, at - BEFORE), at + 80).toWellFormed()) };
}
