import type { ModelReply, ModelRequest } from "./model-client.ts";

/** No model answered: there is no account for one, or none could be asked. The message contains no secret. */
export class ModelUnavailable extends Error {
	override readonly name = "ModelUnavailable";
	/** What a person can do about it, if anything is known. */
	readonly fix: string | undefined;

	constructor(message: string, fix?: string) {
		super(message);
		this.fix = fix;
	}
}

/** Asks the assistant's model one thing, with its accounts, within a bound of its own. @throws ModelUnavailable */
export type AskModel = (request: Omit<ModelRequest, "model">) => Promise<ModelReply>;
