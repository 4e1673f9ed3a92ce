import { type ChannelId, ContractError, type NewDelivery, type NewPlan, type Routing } from "@xworkmate/contracts";
import type { DeliveryChannel } from "../ports/channels/channel.ts";
import type { RunProvider } from "../ports/runs/run-record.ts";
import { needsWork } from "./domain/decide-occurrence.ts";
import type { ResolveRecipient } from "./recipient.ts";
import { channelNames } from "./words/channel-words.ts";

/** What a plan is to do. */
export type PlanTerms = Pick<NewPlan, "instructions" | "delivery" | "work"> & { readonly routing?: Routing | undefined };

export interface TermsDeps {
	readonly channels: ReadonlyMap<ChannelId, DeliveryChannel>;
	readonly resolveRecipient: ResolveRecipient;
	/**
	 * The provider that would run the plan now.
	 * @throws ContractError from routing
	 */
	readonly resolveRouting: (routing: Routing) => Promise<RunProvider>;
}

/** The provider whose prompt consists of the instructions only. */
const SCRIPT = "script";

/**
 * Refuses a plan that could never be carried out as written.
 * @throws ContractError CHANNEL_UNAVAILABLE, RECIPIENT_REQUIRED, RECIPIENT_UNKNOWN, CONTENT_INVALID, INVALID_PARAMS, PROVIDER_NOT_FOUND
 */
export async function checkTerms(terms: PlanTerms, deps: TermsDeps): Promise<void> {
	for (const [index, delivery] of terms.delivery.entries()) checkDelivery(delivery, `delivery[${index}]`, deps);
	const isNothing = terms.instructions.trim() === "" && terms.work.length === 0;
	const asksAgent = needsWork(terms);
	if (isNothing && terms.delivery.length === 0) {
		throw new ContractError("INVALID_PARAMS", {
			detail: "The plan has nothing to do: it has no instructions, no work and no deliveries.",
			fix: "Add instructions, work, or a delivery with content.",
		});
	}
	if (isNothing && asksAgent) {
		throw new ContractError("INVALID_PARAMS", {
			detail: "The plan has no instructions or work, and at least one delivery has no content.",
			fix: "Add instructions, work, or the content of each delivery.",
		});
	}
	if (asksAgent) await checkRouting(terms, deps);
}

function checkDelivery({ channel: id, recipient, content }: NewDelivery, where: string, deps: TermsDeps): void {
	const channel = deps.channels.get(id);
	if (channel === undefined) {
		throw new ContractError("CHANNEL_UNAVAILABLE", {
			detail: `This bridge can't send through ${channelNames[id]} (${where}).`,
			fix: `Use one of: ${[...deps.channels.keys()].join(", ")}.`,
		});
	}
	deps.resolveRecipient(id, recipient);
	if (content !== undefined) checkContent(channel, content, `${where}.content`);
}

/** @throws ContractError CONTENT_INVALID */
export function checkContent(channel: DeliveryChannel, content: string, where: string): void {
	const problem = content.trim() === "" ? "The message is empty." : channel.contentProblem(content);
	if (problem !== undefined) throw new ContractError("CONTENT_INVALID", { detail: problem, fix: `Correct ${where}.` });
}

/** A provider that is unavailable now may be available when the plan is due. A provider that does not exist will not be. */
async function checkRouting({ routing, instructions }: PlanTerms, { resolveRouting }: TermsDeps): Promise<void> {
	if (routing?.providerId === undefined) return;
	if (routing.providerId === SCRIPT && instructions.trim() === "") {
		throw new ContractError("INVALID_PARAMS", {
			detail: "Script runs the instructions as a program, but there are none.",
			fix: "Enter the program as the instructions, or choose another agent.",
		});
	}
	try {
		await resolveRouting(routing);
	} catch (error) {
		const isLasting = error instanceof ContractError && (error.code === "PROVIDER_NOT_FOUND" || error.code === "INVALID_PARAMS");
		if (isLasting || !(error instanceof ContractError)) throw error;
	}
}
