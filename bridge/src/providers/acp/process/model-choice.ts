import { z } from "zod";
import type { AgentConnection } from "./agent-connection.ts";
import { AgentFailure } from "./agent-failure.ts";
import type { WaitLimit } from "./bounded.ts";

interface OfferedModel {
	readonly value: string;
	readonly name: string;
}

/** The models a conversation can be switched to. */
export interface ModelChoice {
	/** The configuration option that selects a model. If absent, the older session/set_model is used. */
	readonly configId?: string;
	/** The value of the current model; undefined if it isn't known. */
	readonly current: string | undefined;
	readonly offered: readonly OfferedModel[];
}

const MAX_MODELS = 500;
const SHOWN_MODELS = 12;

const ConfigOption = z.object({
	type: z.literal("select"),
	id: z.string(),
	category: z.literal("model"),
	currentValue: z.string(),
	options: z.array(z.unknown()),
});
const Model = z.object({ value: z.string().min(1).max(200), name: z.string().max(200).catch("") });
const Group = z.object({ options: z.array(z.unknown()) });
const Session = z.object({
	configOptions: z.array(z.unknown()).nullish().catch(undefined),
	models: z
		.object({
			currentModelId: z.string(),
			availableModels: z.array(z.object({ modelId: z.string().min(1).max(200), name: z.string().max(200).catch("") })),
		})
		.nullish()
		.catch(undefined),
});

/** Reads the choice from the answer to session/new, load, resume or set_config_option; undefined if the agent offers none. */
export function readModelChoice(response: unknown): ModelChoice | undefined {
	const session = Session.safeParse(response ?? {}).data;
	const option = session?.configOptions?.map((value) => ConfigOption.safeParse(value).data).find((value) => value !== undefined);
	if (option !== undefined)
		return { configId: option.id, current: option.currentValue, offered: option.options.flatMap(modelsOf).slice(0, MAX_MODELS) };
	if (!session?.models) return undefined;
	const offered = session.models.availableModels.map(({ modelId, name }) => ({ value: modelId, name }));
	return { current: session.models.currentModelId, offered: offered.slice(0, MAX_MODELS) };
}

function modelsOf(option: unknown): OfferedModel[] {
	const group = Group.safeParse(option);
	if (group.success) return group.data.options.flatMap((inner) => Model.safeParse(inner).data ?? []);
	const model = Model.safeParse(option);
	return model.success ? [model.data] : [];
}

/**
 * Switches a conversation to a model, given by its value or its name.
 * @returns the current model
 * @throws AgentFailure if the agent does not offer the model, or says that it still uses another: the turn must not run with another model
 */
export async function selectModel(
	agent: AgentConnection,
	conversationId: string,
	choice: ModelChoice | undefined,
	wanted: string,
	limit: WaitLimit,
): Promise<string> {
	const { label } = agent.profile;
	if (choice === undefined) {
		const message = `${label} did not say which models this conversation can use, so ${wanted} can't be chosen. Send the message again without a model.`;
		throw new AgentFailure("PROVIDER_ERROR", message, { isRequest: true });
	}
	const model = choice.offered.find(({ value }) => value === wanted) ?? choice.offered.find(({ name }) => name === wanted);
	if (model === undefined) {
		throw new AgentFailure("PROVIDER_ERROR", `${label} does not offer the model ${wanted}. ${offerWords(choice)}`, { isRequest: true });
	}
	if (model.value === choice.current) return model.value;
	if (choice.configId === undefined) await agent.request("session/set_model", { sessionId: conversationId, modelId: model.value }, limit);
	else {
		const params = { sessionId: conversationId, configId: choice.configId, value: model.value };
		const current = readModelChoice(await agent.request("session/set_config_option", params, limit))?.current;
		if (current !== undefined && isAnother(choice, current, model)) {
			const message = `${label} did not switch to the model ${model.value}: it says that it uses ${current}. The message was not sent to it. Choose ${current}, or send the message again without a model.`;
			throw new AgentFailure("PROVIDER_ERROR", message, { isRequest: true });
		}
	}
	return model.value;
}

/** True if `current` is another model that the agent offers. A value that it does not offer may be another name of the chosen model. */
function isAnother({ offered }: ModelChoice, current: string, chosen: OfferedModel): boolean {
	return current !== chosen.value && offered.some(({ value }) => value === current);
}

function offerWords({ offered }: ModelChoice): string {
	if (offered.length === 0) return "It offers none.";
	const names = offered.slice(0, SHOWN_MODELS).map(({ value }) => value);
	const more = offered.length - names.length;
	return `It offers: ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
}
