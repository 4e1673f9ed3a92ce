import type { ModelReply, ModelRequest } from "./model-client.ts";

/** No model answered, for example because there is no usable account, the request failed or the time ran out. The message contains no secret. */
export class ModelUnavailable extends Error {
	override readonly name = "ModelUnavailable";
	/** What the user can do about the failure, if anything is known. */
	readonly fix: string | undefined;

	constructor(message: string, fix?: string) {
		super(message);
		this.fix = fix;
	}
}

/**
 * Asks the assistant's model a single question, with the assistant's accounts and a time limit.
 * @throws ModelUnavailable
 */
export type AskModel = (request: Omit<ModelRequest, "model">) => Promise<ModelReply>;
