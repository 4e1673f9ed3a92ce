import { ActionId, ContractError, type DeliveryAction, type Occurrence, OccurrenceId, type Plan, PlanId } from "@xworkmate/contracts";
import type { AppApi } from "../../api/app-api.ts";
import { pagesOf } from "../../api/pages-of.ts";
import { AppError } from "../../errors/app-error.ts";
import { hasCode } from "../../errors/has-code.ts";
import { commandLine } from "../../text/command-line.ts";
import { idInCommand } from "./message-names.ts";
import { actionLine, readNow } from "./plan-lines.ts";

/** What an id on the command line names: a plan, one occurrence of it, or one message of the occurrence. */
export interface Named {
	readonly plan: Plan;
	readonly occurrenceId?: OccurrenceId;
	readonly actionId?: ActionId;
}

export interface NamedOccurrence {
	readonly plan: Plan;
	readonly occurrence: Occurrence;
	/** The messages that the command wants, among those that the id names. */
	readonly actions: readonly DeliveryAction[];
	/** True if the id names a single message. */
	readonly isOne: boolean;
}

type Api = Pick<AppApi, "plan" | "planOccurrences">;

/**
 * Finds what an id names: `<plan>`, `<plan>-<n>` or `<plan>-<n>-<n>`.
 * @throws ContractError NOT_FOUND
 */
export async function findNamed(api: Api, id: string): Promise<Named> {
	const occurrence = parentOf(id);
	const plan = occurrence && parentOf(occurrence);
	const found = await planOf(api, id);
	if (found !== undefined) return { plan: found };
	const ofTime = await planOf(api, occurrence);
	if (ofTime !== undefined) return { plan: ofTime, occurrenceId: OccurrenceId.parse(id) };
	const ofMessage = await planOf(api, plan);
	if (ofMessage !== undefined) return { plan: ofMessage, occurrenceId: OccurrenceId.parse(occurrence), actionId: ActionId.parse(id) };
	const fix = `List the plans: ${commandLine("plans")}`;
	throw new ContractError("NOT_FOUND", { detail: `There is no plan, due time or message with the id ${id}.`, fix });
}

/**
 * The occurrence that an id names, with its wanted messages. For the id of a plan, the only wanted one among its newest 100.
 * @param wants the wanted messages of an occurrence; undefined if the occurrence is not wanted, empty if it waits as a whole
 * @param what words for the errors, such as "is waiting for your review" and "are waiting for your review", and the command to run with one
 * id. `flags`: those that were given, because without them, the commands that the error prints would do something else. `none` replaces "No
 * message of" where work without a message is wanted too.
 * @throws AppError NOTHING_WAITS, SEVERAL_WAIT; ContractError NOT_FOUND
 */
export async function findOccurrence(
	api: Api,
	id: string,
	wants: (occurrence: Occurrence) => readonly DeliveryAction[] | undefined,
	what: {
		readonly none?: "Nothing in";
		readonly words: string;
		readonly several: string;
		readonly command: string;
		readonly flags?: string;
	},
): Promise<NamedOccurrence> {
	const { plan, occurrenceId, actionId } = await findNamed(api, id);
	const candidates = occurrenceId === undefined ? await newest(api, plan) : [await occurrenceOf(api, plan, occurrenceId)];
	const wanted = candidates.flatMap((occurrence) => {
		const all = wants(occurrence);
		const actions = actionId === undefined ? all : all?.filter((action) => action.actionId === actionId);
		if (actions === undefined || (actionId !== undefined && actions.length === 0)) return [];
		return [{ plan, occurrence, actions, isOne: actionId !== undefined }];
	});
	const [first, second] = wanted;
	if (first === undefined) {
		const unsettled = candidates.find(({ delivery }) => unknownOf(delivery, actionId).length > 0);
		const fix =
			unsettled === undefined
				? `Show the plan: ${commandLine(`plans show ${plan.planId}`)}`
				: `XWorkmate doesn't know whether a message arrived. If you know, record it: ${commandLine(`plans settle ${unknownId(unsettled, actionId)} --sent`)} or --not-sent`;
		throw new AppError(
			"NOTHING_WAITS",
			`${what.none ?? "No message of"} “${plan.title}” ${what.words}.${stateWords(candidates[0], actionId)}`,
			fix,
		);
	}
	if (second === undefined) return first;
	const names = wanted.map(({ occurrence }) => commandLine(`${what.command} ${occurrence.occurrenceId} ${what.flags ?? ""}`.trimEnd()));
	throw new AppError("SEVERAL_WAIT", `Several due times of “${plan.title}” ${what.several}.`, `Run one of these: ${names.join(", ")}`);
}

/** The current state of the messages that an id names. For a plan, those of its newest occurrence. */
function stateWords(newest: Occurrence | undefined, only: ActionId | undefined): string {
	const actions = newest?.delivery.filter(({ actionId }) => only === undefined || actionId === only) ?? [];
	return actions.length === 0 ? "" : ` The current state: ${actions.map((action) => actionLine(action, readNow())).join("; ")}.`;
}

function unknownOf(delivery: readonly DeliveryAction[], only: ActionId | undefined): readonly DeliveryAction[] {
	return delivery.filter(({ actionId, status }) => status === "unknown" && (only === undefined || actionId === only));
}

/** The id of the one message whose outcome is unknown. If there are several, the id of their due time, for which the command lists them. */
function unknownId(occurrence: Occurrence, only: ActionId | undefined): string {
	const [first, second] = unknownOf(occurrence.delivery, only);
	return idInCommand(occurrence, second === undefined ? first : undefined);
}

/** @throws ContractError NOT_FOUND */
export async function occurrenceOf(api: Pick<Api, "planOccurrences">, plan: Plan, occurrenceId: OccurrenceId): Promise<Occurrence> {
	if (plan.occurrence?.occurrenceId === occurrenceId) return plan.occurrence;
	for await (const page of pagesOf((after) => api.planOccurrences({ planId: plan.planId, ...after }))) {
		const found = page.items.find((each) => each.occurrenceId === occurrenceId);
		if (found !== undefined) return found;
	}
	throw new ContractError("NOT_FOUND", { detail: `“${plan.title}” has no due time with the id ${occurrenceId}.` });
}

async function newest(api: Api, { planId }: Plan): Promise<readonly Occurrence[]> {
	return (await api.planOccurrences({ planId, limit: 100 })).items;
}

async function planOf(api: Api, id: string | undefined): Promise<Plan | undefined> {
	const planId = PlanId.safeParse(id);
	if (!planId.success) return undefined;
	try {
		return await api.plan({ planId: planId.data });
	} catch (error) {
		if (hasCode(error, "NOT_FOUND")) return undefined;
		throw error;
	}
}

function parentOf(id: string): string | undefined {
	return /^(.+)-\d+$/.exec(id)?.[1];
}
