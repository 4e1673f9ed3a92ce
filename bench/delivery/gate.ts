import { hash } from "node:crypto";
import { Redaction } from "@xworkmate/contracts";
import { bidi, invisible } from "../../bridge/src/channels/lint/hidden-characters.ts";
import { credentials, linkText, remoteImage } from "../../bridge/src/channels/lint/links.ts";
import { allOf } from "../../bridge/src/channels/lint/lint-check.ts";
import { secret } from "../../bridge/src/channels/lint/secret.ts";
import { gateOf } from "../../bridge/src/plans/text/gate.ts";
import { compare, type Result } from "../result.ts";
import { median, type Sample } from "../rounds.ts";

const BYTES = 5_000_000;
const MOST = 15;
/** Slightly less than the largest deliverable that the gate lets through, which is 256 KiB. */
const DELIVERABLE = 250_000;

const sentence =
	"Sanur is **calm** and [shallow](https://example.org/sanur), Nusa Dua is clean, and the way to both is short.\n- a point\n\n";
const texts: Readonly<Record<string, { readonly work: string; readonly deliverable: string }>> = {
	"a report": { work: sentence, deliverable: sentence },
	"tags in code blocks": { work: "```\n<deliverable>\n```\n", deliverable: sentence },
	"beginnings of links": { work: "![a](<b [c](d `", deliverable: "![a](<b [c](d `" },
};

/** The gate on an answer of 5 MB, and the lint of what it lets through, against the hash of the answer. */
export function benchGate(quick: boolean): readonly Result[] {
	const lint = allOf(invisible, bidi, remoteImage, linkText, credentials, secret(new Redaction([])));
	return Object.entries(texts).map(([kind, { work, deliverable }]) => {
		const message = filled(deliverable, DELIVERABLE);
		const answer = `${filled(work, BYTES - DELIVERABLE)}\n<deliverable>\n${message}\n</deliverable>`;
		const take = (): Sample<"hash" | "check"> => ({
			hash: msOf(() => hash("sha256", answer).length),
			check: msOf(() => {
				const { deliverable: found } = gateOf(answer, { hasDelivery: true, structured: false });
				return lint(found ?? message).length;
			}),
		});
		for (let round = 0; round < 3; round++) take();
		const samples = Array.from({ length: quick ? 3 : 15 }, take);
		return compare(samples, {
			name: `gate and lint of an answer of 5 MB: ${kind}`,
			unit: "ms",
			against: "its sha256",
			baseline: "hash",
			measured: "check",
			aim: { atMost: MOST },
		});
	});
}

function filled(text: string, length: number): string {
	return text.repeat(Math.ceil(length / text.length)).slice(0, length);
}

function msOf(act: () => number): number {
	const times = Array.from({ length: 3 }, () => {
		const from = performance.now();
		if (act() < 0) throw new RangeError("there is no negative count");
		return performance.now() - from;
	});
	return median(times);
}
