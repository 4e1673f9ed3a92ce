import { ApprovalDecision } from "@xworkmate/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerFor, decisionsFor, decodePermission, deniesAlways } from "../../../src/providers/acp/protocol/decode-permission.ts";

describe("a permission's options", () => {
	const option = fc.record({
		// An id may be another kind's word: it means nothing.
		optionId: fc.oneof(fc.string(), fc.constantFrom("allow_once", "reject_once")),
		name: fc.string(),
		kind: fc.constantFrom("allow_once", "allow_always", "reject_once", "reject_always", "maybe"),
	});

	it("say whether a denial can only be given for good", () => {
		expect([
			deniesAlways({ reject_always: "never" }),
			deniesAlways({ reject_always: "never", reject_once: "no" }),
			deniesAlways({}),
		]).toEqual([true, false, false]);
	});

	it("never deny with the id of one that allows", () => {
		const options = [...(["allow_always", "reject_once"] as const).map((kind) => ({ optionId: "x", name: kind, kind }))];
		const decoded = (more: readonly object[]) =>
			decodePermission({ sessionId: "s", toolCall: { toolCallId: "t" }, options: [...options, ...more] });
		expect(answerFor("deny", decoded([])?.answers ?? {})).toBeUndefined();
		expect(answerFor("deny", decoded([{ optionId: "y", name: "No", kind: "reject_once" }])?.answers ?? {})).toBe("y");
	});

	it("are chosen by kind alone; allow_always is never given", () => {
		fc.assert(
			fc.property(fc.array(option), fc.constantFrom(...ApprovalDecision.options), (options, decision) => {
				const question = decodePermission({ sessionId: "s", toolCall: { toolCallId: "t" }, options });
				const answers = question?.answers ?? {};
				const chosen = answerFor(decision, answers);
				const idsOf = (beginning: string) => options.flatMap(({ kind, optionId }) => (kind.startsWith(beginning) ? [optionId] : []));
				const allowed = new Set(decision === "deny" ? new Set(idsOf("reject")).difference(new Set(idsOf("allow"))) : idsOf("allow_once"));
				if (allowed.size > 0) expect(allowed).toContain(chosen);
				else expect(chosen).toBeUndefined();
				if (decision !== "deny") expect(decisionsFor(answers).includes(decision)).toBe(chosen !== undefined);
			}),
		);
	});
});
