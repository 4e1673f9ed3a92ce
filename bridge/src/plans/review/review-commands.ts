import {
	ContractError,
	type Deliverable,
	type DeliveryAction,
	findingWords,
	type MethodParams,
	type MethodResult,
	type Occurrence,
	omitUndefined,
	type PlanId,
	type Sha256,
} from "@xworkmate/contracts";
import type { Built, DeliveryChannel } from "../../ports/channels/channel.ts";
import { timestamp } from "../../ports/clock.ts";
import type { OpenOccurrence, Payload, PlanEvent, PlanState } from "../../ports/plans/plan-event.ts";
import type { PlanService } from "../../ports/plans/plan-service.ts";
import { decideSettle } from "../domain/decide-delivery.ts";
import { needsWork } from "../domain/decide-occurrence.ts";
import { decideReview, type ReviewDecision, type ReviewedBytes, reviewed } from "../domain/decide-review.ts";
import { decidedBy } from "../domain/decided-by.ts";
import { sha256Of } from "../domain/sha256.ts";
import { findOccurrence, findPlan, openOccurrence } from "../find-plan.ts";
import { addressedTo } from "../messages.ts";
import { PERSON, type PlanParts } from "../plan-parts.ts";
import { checkContent } from "../plan-terms.ts";
import { asSent } from "../text/extract-deliverable.ts";
import { channelNames } from "../words/channel-words.ts";
import type { Previews } from "./previews.ts";

type Review = MethodParams<"xworkmate.plans.review">;
type Applied = MethodResult<"xworkmate.plans.review">;
type Decided = { readonly events: readonly PlanEvent[]; readonly payloads?: readonly Payload[] };

export interface ReviewParts extends PlanParts {
	readonly previews: Previews;
}

/** The commands for the user's decisions about messages. */
export function reviewCommands(parts: ReviewParts): Pick<PlanService, "preview" | "review" | "settle"> {
	const { clock } = parts;
	return {
		preview: (params) => preview(parts, params),
		review: (params) => review(parts, params),
		settle: ({ occurrenceId, actionId, revision, outcome }) =>
			decided(parts, { occurrenceId, revision }, (open) => ({
				events: decideSettle(open, actionId, outcome, PERSON, timestamp(clock.now())),
			})),
	};
}

async function preview(
	{ store, channels, resolveRecipient, previews, messageOf, clock }: ReviewParts,
	params: MethodParams<"xworkmate.plans.preview">,
): Promise<MethodResult<"xworkmate.plans.preview">> {
	if (!("occurrenceId" in params)) {
		const { channel: id, content: text, title = "", subject, recipient } = params;
		const channel = channelOf({ channels }, id);
		checkContent(channel, text, "content");
		const where = resolveRecipient(id, recipient);
		const built = await previews.build(channel, {
			title,
			text,
			...where,
			files: [],
			at: timestamp(clock.now()),
			...omitUndefined({ subject }),
		});
		return shown(built, channel, text);
	}
	const { occurrenceId, actionId, content } = params;
	const occurrence = await findOccurrence(store, occurrenceId);
	const action = actionOf(occurrence, actionId);
	const channel = channelOf({ channels }, action.channel);
	const built = content === undefined ? await asBuilt(store, channel, action) : undefined;
	if (built !== undefined) return built;
	const { plan } = await findPlan(store, occurrence.planId);
	if (content !== undefined) checkContent(channel, content, "content");
	const message = await messageOf(occurrence, content === undefined ? action : { ...action, content: asSent(content) }, plan);
	return shown(await previews.build(channel, message), channel, message.text);
}

/**
 * The preview of a message that was built, from the stored bytes that will be or were sent unchanged. Undefined if there are none, if the
 * channel can't read them, or if the message is held, because it is then built again with the current settings.
 */
async function asBuilt(
	store: ReviewParts["store"],
	channel: DeliveryChannel,
	{ status, payloadHash }: DeliveryAction,
): Promise<MethodResult<"xworkmate.plans.preview"> | undefined> {
	if (status === "needs_review" || payloadHash === undefined) return undefined;
	const payload = await store.payload(payloadHash);
	if (payload === undefined) return undefined;
	const parts = await channel.partsOf(payload).catch(() => undefined);
	const text = parts?.find(({ kind }) => kind === "text" || kind === "row")?.text;
	return parts === undefined || text === undefined ? undefined : shown({ payload, parts }, channel, text);
}

function shown({ payload, parts }: Built, channel: DeliveryChannel, text: string): MethodResult<"xworkmate.plans.preview"> {
	return { payloadHash: payload.sha256, size: payload.bytes.byteLength, parts: [...parts], lint: [...channel.lint(text)] };
}

async function review(parts: ReviewParts, params: Review): Promise<Applied> {
	const { store } = parts;
	const { occurrenceId, actionId } = params;
	const occurrence = await findOccurrence(store, occurrenceId);
	if (actionId !== undefined) actionOf(occurrence, actionId);
	const state = await findPlan(store, occurrence.planId);
	const open = openOccurrence(state, occurrenceId);
	if (open === undefined || open.occurrence.revision !== params.revision)
		return { occurrence: open?.occurrence ?? occurrence, applied: false };
	const { decision, payloads } = await prepared(parts, params, open, state);
	return decided(parts, params, (now, { plan }) => {
		const events = decidedBy({ by: PERSON, decision: decision.kind }, decideReview(now, actionId, decision, plan.threadId));
		if (events.length === 0)
			throw new ContractError("NOTHING_TO_SEND", { detail: "This decision can't be applied to any message that is waiting." });
		return { events, payloads };
	});
}

/** The decision, and the previewed bytes that it needs in addition to the plan's state. */
async function prepared(
	parts: ReviewParts,
	{ actionId, decision, content, payloadHash }: Review,
	open: OpenOccurrence,
	state: PlanState,
): Promise<{ readonly decision: ReviewDecision; readonly payloads: readonly Payload[] }> {
	switch (decision) {
		case "discard":
			return { decision: { kind: "discard" }, payloads: [] };
		case "rerun":
			if (!needsWork({ ...state.plan, delivery: open.occurrence.delivery })) {
				throw new ContractError("INVALID_PARAMS", {
					detail: "There is no work to run again, because the plan itself contains the text of its messages.",
					fix: "Send the message, or discard it.",
				});
			}
			return { decision: { kind: "rerun" }, payloads: [] };
		case "send": {
			const action = onlyWaiting(open, actionId);
			const { payload, reviewed: bytes } = await lookedAt(parts, open.occurrence, action, state, payloadHash);
			return { decision: { kind: "send", payloads: { [action.actionId]: bytes } }, payloads: [payload] };
		}
		case "edit": {
			const action = onlyWaiting(open, actionId);
			const text = edited(parts, action, content);
			const { payload, reviewed: bytes } = await lookedAt(parts, open.occurrence, { ...action, content: text }, state, payloadHash);
			const deliverable: Deliverable = { text, sha256: sha256Of(text), source: "person" };
			return { decision: { kind: "edit", deliverable, payloads: { [action.actionId]: bytes } }, payloads: [payload] };
		}
	}
}

/** The one message that a decision applies to, because a payload hash belongs to one message. */
function onlyWaiting(open: OpenOccurrence, actionId: Review["actionId"]): DeliveryAction {
	const [action, ...others] = reviewed(open, actionId);
	if (action === undefined) throw new ContractError("NOTHING_TO_SEND", { detail: "No message is waiting for this decision." });
	if (others.length === 0) return action;
	throw new ContractError("INVALID_PARAMS", {
		detail: `A decision to send or edit applies to one message, but ${others.length + 1} are waiting.`,
		fix: "Add the actionId of one of them.",
	});
}

/** The bytes that the user previewed, which are exactly the ones sent, and what is recorded about them. */
async function lookedAt(
	{ channels, messageOf, previews }: ReviewParts,
	occurrence: Occurrence,
	action: DeliveryAction,
	{ plan }: PlanState,
	payloadHash: Sha256 | undefined,
): Promise<{ readonly payload: Payload; readonly reviewed: ReviewedBytes }> {
	const message = await messageOf(occurrence, action, plan);
	if (payloadHash === undefined) {
		throw new ContractError("INVALID_PARAMS", {
			detail: "A message must be previewed before it is sent, but payloadHash is missing.",
			fix: "Preview the message, and send the payloadHash of the preview.",
		});
	}
	const { payload, providerMessageId } = await previews.previewed(channelOf({ channels }, action.channel), message, payloadHash);
	const to = addressedTo(action.channel, message);
	return { payload, reviewed: { payloadHash: payload.sha256, providerMessageId, addressedTo: to } };
}

/**
 * The user's own words, which have to pass the same checks as an agent's.
 * @throws ContractError CONTENT_INVALID, INVALID_PARAMS, CHANNEL_UNAVAILABLE
 */
function edited({ channels }: ReviewParts, { channel: id }: DeliveryAction, content: string | undefined): string {
	if (content === undefined) throw new ContractError("INVALID_PARAMS", { detail: "The edited message (content) is missing." });
	const channel = channelOf({ channels }, id);
	checkContent(channel, content, "content");
	const text = asSent(content);
	const [finding] = channel.lint(text);
	if (finding === undefined) return text;
	const detail = `This text can't be sent through ${channelNames[id]} as it is: ${findingWords(finding)}.`;
	throw new ContractError("CONTENT_INVALID", { detail });
}

/**
 * Applies a decision to an open occurrence in its current state. A decision that comes too late changes nothing; the occurrence is returned
 * as recorded.
 */
async function decided(
	{ store, log, queue }: ReviewParts,
	{ occurrenceId, revision }: Pick<Review, "occurrenceId" | "revision">,
	decide: (open: OpenOccurrence, state: PlanState) => Decided,
): Promise<Applied> {
	const known = await findOccurrence(store, occurrenceId);
	const { planId } = known;
	return queue.add(planId satisfies PlanId, async () => {
		const { events, state } = await log.tryChange(planId, (now) => {
			const open = openOccurrence(now, occurrenceId);
			return open === undefined || open.occurrence.revision !== revision ? [] : decide(open, now);
		});
		const occurrence = openOccurrence(state, occurrenceId)?.occurrence ?? (await findOccurrence(store, occurrenceId));
		return { occurrence, applied: events.length > 0 };
	});
}

/** @throws ContractError NOT_FOUND */
function actionOf({ delivery, occurrenceId }: Occurrence, actionId: string): DeliveryAction {
	const action = delivery.find((one) => one.actionId === actionId);
	if (action === undefined) throw new ContractError("NOT_FOUND", { detail: `${occurrenceId} has no message ${actionId}.` });
	return action;
}

/** @throws ContractError CHANNEL_UNAVAILABLE */
function channelOf({ channels }: Pick<ReviewParts, "channels">, id: DeliveryAction["channel"]): DeliveryChannel {
	const channel = channels.get(id);
	if (channel === undefined)
		throw new ContractError("CHANNEL_UNAVAILABLE", { detail: `This bridge can't send through ${channelNames[id]}.` });
	return channel;
}
