import {
	type ChannelId,
	ContractError,
	type Occurrence,
	OriginId,
	omitUndefined,
	type Plan,
	type ProviderCapability,
	type ProviderId,
	type Routing,
	type RunId,
	SessionId,
	SubmitParams,
	type TurnId,
} from "@xworkmate/contracts";
import type { DeliveryChannel } from "../../ports/channels/channel.ts";
import type { RunProvider } from "../../ports/runs/run-record.ts";
import type { RunService } from "../../ports/runs/run-service.ts";
import { isMending } from "../domain/decide-again.ts";
import { composePlanPrompt, constraintsOf, type DeliverableForm } from "../text/plan-prompt.ts";
import { mendPrompt } from "./mend-prompt.ts";

export interface PlanTurnParts {
	readonly runs: Pick<RunService, "submit" | "resolve" | "list">;
	readonly channels: ReadonlyMap<ChannelId, DeliveryChannel>;
	/** The routing of a plan that names none. */
	readonly routing: () => Promise<Routing>;
	/**
	 * The provider that would run a turn with this routing.
	 * @throws ContractError from routing
	 */
	readonly resolveRouting: (routing: Routing) => Promise<RunProvider>;
	readonly providers: () => Promise<readonly ProviderCapability[]>;
}

/**
 * Submits an occurrence's turn, or finds the run that was already made of it.
 * @throws ContractError INVALID_PARAMS, or one from routing or from a submit
 */
export async function submitTurn(parts: PlanTurnParts, plan: Plan, occurrence: Occurrence, turnId: TurnId): Promise<RunId> {
	const { runs } = parts;
	const { threadId } = plan;
	const known = await ifFound(runs.resolve({ threadId, turnId }));
	if (known !== undefined) return known.runId;
	const params = await turnParams(parts, plan, occurrence, turnId);
	const continues = plan.conversation === "continue" || isMending(occurrence);
	if (!continues) return (await runs.submit("session.start", params)).runId;
	try {
		return (await runs.submit("session.message", params)).runId;
	} catch (error) {
		const isNew = error instanceof ContractError && (error.code === "SESSION_NOT_FOUND" || error.code === "SESSION_CLOSED");
		if (!isNew) throw error;
		return (await runs.submit("session.start", params)).runId;
	}
}

/** @throws ContractError INVALID_PARAMS, or one from routing */
async function turnParams(parts: PlanTurnParts, plan: Plan, occurrence: Occurrence, turnId: TurnId): Promise<SubmitParams> {
	const provider = await parts.resolveRouting(plan.routing ?? (await parts.routing()));
	const { threadId, workingDirectory, permissions } = plan;
	const params = SubmitParams.safeParse({
		sessionId: await sessionOf(parts.runs, plan),
		threadId,
		turnId,
		prompt: await promptOf(parts, plan, occurrence, provider.providerId),
		// The routing resolved just now, because the prompt was written for this provider.
		routing: { executionTarget: provider.target, providerId: provider.providerId, ...omitUndefined({ model: provider.model }) },
		...omitUndefined({ workingDirectory }),
		...(permissions === undefined ? {} : { metadata: { xworkmateAssistant: { toolPolicy: permissions } } }),
		origin: { kind: "plan", id: OriginId.parse(plan.planId) },
	});
	if (params.success) return params.data;
	const [issue] = params.error.issues;
	throw new ContractError("INVALID_PARAMS", {
		detail: `The run's ${issue?.path.join(".")} is invalid: ${issue?.message}`,
		fix: "Change the plan, then run it.",
	});
}

/** The prompt of a turn. A program is passed on as it is written. An agent's prompt also says what the message has to look like. */
async function promptOf(
	{ channels, providers }: PlanTurnParts,
	plan: Plan,
	occurrence: Occurrence,
	providerId: ProviderId,
): Promise<string> {
	const provider = await findProvider(providers, providerId);
	if (provider?.own === "programs") return plan.instructions;
	const { work, delivery } = occurrence;
	const constraints = constraintsOf(delivery, channels);
	const form = formOf(provider);
	if (isMending(occurrence)) return mendPrompt(delivery, constraints, form);
	return composePlanPrompt({ title: plan.title, instructions: plan.instructions, work, delivery }, constraints, form);
}

/** The form in which a provider delivers a message. */
export async function deliverableForm(providers: PlanTurnParts["providers"], providerId: ProviderId): Promise<DeliverableForm> {
	return formOf(await findProvider(providers, providerId));
}

function formOf(provider: ProviderCapability | undefined): DeliverableForm {
	return provider?.features.deliverable ?? "tags";
}

async function findProvider(providers: PlanTurnParts["providers"], id: ProviderId): Promise<ProviderCapability | undefined> {
	return (await providers()).find(({ providerId }) => providerId === id);
}

/** The session of a plan's thread. A thread that the app made may have a session with another name. */
async function sessionOf({ list }: Pick<RunService, "list">, { threadId }: Plan): Promise<SessionId> {
	const { items } = await list({ threadId, limit: 1 });
	return items[0]?.sessionId ?? SessionId.parse(threadId);
}

/**
 * Resolves to undefined instead of rejecting with NOT_FOUND.
 * @throws any other error
 */
export async function ifFound<T>(asked: Promise<T>): Promise<T | undefined> {
	try {
		return await asked;
	} catch (error) {
		if (error instanceof ContractError && error.code === "NOT_FOUND") return undefined;
		throw error;
	}
}
