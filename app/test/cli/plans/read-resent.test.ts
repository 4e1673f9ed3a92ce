import { ContractError, type Occurrence, type Plan } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { runAgainst } from "../../support/command-scene.ts";
import { action, occurrence, plan } from "../../support/plan-story.ts";

const notSent = { status: "failed", code: "NOT_SENT", settledBy: "person" } as const;
const first = (...delivery: Occurrence["delivery"]) => occurrence({ status: "failed", code: "DELIVERY_FAILED", delivery });
const again = (...delivery: Occurrence["delivery"]) =>
	occurrence({ occurrenceId: "beaches-2" as never, kind: "resend", resends: "beaches-1" as never, delivery });

async function shown(one: Occurrence, later: Occurrence, command = ["plans", "show", "beaches-1"]): Promise<string> {
	const newest: Plan = plan({ occurrence: later });
	const known = {
		plan: async ({ planId }: { readonly planId: string }) => {
			if (planId === "beaches") return newest;
			throw new ContractError("NOT_FOUND");
		},
		planOccurrences: async () => ({ items: [later, one] }),
	};
	return (await runAgainst(known, command)).lines.join("\n");
}

it("a message that was sent again isn't offered to be sent again", async () => {
	const one = first(action({ ...notSent, content: "Sanur is best." }));
	const sent = again(action({ actionId: "beaches-2-1" as never, content: "Sanur is best." }));
	expect(await shown(one, sent)).not.toContain("plans resend");
	expect(await shown(one, sent, ["plans", "settle", "beaches-1", "--not-sent"])).not.toContain("plans resend");
	const failed = again(
		action({ actionId: "beaches-2-1" as never, content: "Sanur is best.", status: "failed", code: "RECIPIENT_REFUSED" }),
	);
	expect(await shown(one, failed)).toContain("plans resend beaches-1");
});

it("of several messages, only those that were not sent again are named", async () => {
	const one = first(
		action({ ...notSent, content: "Sanur is best." }),
		action({ ...notSent, content: "Ubud is green.", actionId: "beaches-1-2" as never }),
		action({ ...notSent, content: "Lovina is calm.", actionId: "beaches-1-3" as never }),
	);
	const sent = again(action({ actionId: "beaches-2-1" as never, content: "Sanur is best." }));
	const lines = await shown(one, sent);
	for (const id of ["beaches-1-2", "beaches-1-3"]) expect(lines).toMatch(new RegExp(`plans resend ${id}$`, "m"));
	expect(lines).not.toMatch(/plans resend beaches-1$/m);
});
