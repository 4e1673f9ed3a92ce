import { ContractError, type MethodParams, type Occurrence, type Plan, Sha256 } from "@xworkmate/contracts";
import type { AppApi } from "../../src/api/app-api.ts";
import { runAgainst } from "./command-scene.ts";
import { action, occurrence, plan } from "./plan-story.ts";

export const payloadHash = Sha256.parse("3f2a91c04b7e".padEnd(64, "0"));
export const deliverable = { text: "Sanur is best.", sha256: payloadHash, source: "model" as const };
export const held = occurrence({
	status: "needs_review",
	deliverable,
	delivery: [
		action({ status: "needs_review", code: "LINT_LINK_TEXT", lint: [{ rule: "link_text", excerpt: "bank.example goes to evil.example" }] }),
	],
});

/** A bridge with one plan, and what was asked of it. */
export function bridge(newest: Occurrence, more: Partial<AppApi> = {}) {
	const asked: unknown[] = [];
	const known: Plan = plan({ status: newest.status === "needs_review" ? "needs_review" : "completed", occurrence: newest });
	const note =
		<R>(result: R) =>
		async (params: unknown) => {
			asked.push(params);
			return result;
		};
	const api: Partial<AppApi> = {
		plan: async ({ planId }) => {
			if (planId === known.planId) return known;
			throw new ContractError("NOT_FOUND");
		},
		planOccurrences: async () => ({ items: [newest] }),
		previewMessage: async ({ content }: MethodParams<"xworkmate.plans.preview">) => ({
			payloadHash,
			parts: [
				{ kind: "headers", mediaType: "message/rfc822", text: "To: me@example.com\nSubject: Beaches", bytes: 36, sha256: payloadHash },
				{ kind: "text", mediaType: "text/plain", text: content ?? "Sanur is best.", bytes: 14, sha256: payloadHash },
				{ kind: "html", mediaType: "text/html", text: "<p>Sanur is best.</p>", bytes: 21, sha256: payloadHash },
			],
			lint: [],
		}),
		reviewMessage: note({ occurrence: occurrence({ status: "delivering" }), applied: true }),
		settleMessage: note({ occurrence: occurrence(), applied: true }),
		resendMessages: note(occurrence({ kind: "resend", status: "due" })),
		...more,
	};
	return { api, asked, run: (...args: readonly string[]) => runAgainst(api, ["plans", ...args]) };
}
