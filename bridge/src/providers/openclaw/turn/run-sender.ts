import type { OpenClawRunRef } from "@xworkmate/contracts";
import type { ProviderTurn } from "../../../ports/agents/provider.ts";
import type { GatewayApi } from "../gateway/gateway-api.ts";
import type { GatewayConnection } from "../gateway/gateway-connection.ts";
import type { GatewayLink } from "../gateway/gateway-link.ts";
import { chatMessage, messageProblem } from "./chat-message.ts";
import { TurnRefused } from "./turn-refused.ts";

export interface RunSenderDeps {
	readonly connection: GatewayConnection;
	readonly api: GatewayApi;
}

/**
 * Sends one turn. Sends it again over each new connection, and until the gateway answers, because without an answer it is unknown whether
 * the gateway accepted the run. Repeats are harmless: the gateway accepts a run only once.
 */
export class RunSender {
	readonly #deps: RunSenderDeps;
	readonly #turn: ProviderTurn;
	#sentOver: GatewayLink | undefined;

	constructor(deps: RunSenderDeps, turn: ProviderTurn) {
		this.#deps = deps;
		this.#turn = turn;
	}

	/**
	 * Sends the turn. False if nothing was sent, because it was already sent over this connection, or the run is being stopped.
	 * @throws TurnRefused, GatewayRefusal, GatewayLost, GatewayProtocolError
	 */
	async send(ref: OpenClawRunRef, stopping: () => boolean): Promise<boolean> {
		const { connection, api } = this.#deps;
		if (this.#sentOver !== undefined && this.#sentOver === connection.link) return false;
		const message = await chatMessage(this.#turn);
		await this.#chooseModel(ref);
		return connection.persist(async (link) => {
			if (stopping()) return false;
			const problem = messageProblem(message, link.hello);
			if (problem !== undefined) throw new TurnRefused("LIMIT_EXCEEDED", problem);
			await api.send(link, ref, message);
			this.#sentOver = link;
			return true;
		});
	}

	/** Sets the model. A turn that names no model gets the gateway's default, not the last turn's model. */
	async #chooseModel(ref: OpenClawRunRef): Promise<void> {
		const { model, session } = this.#turn;
		if (model !== undefined || session !== undefined) await this.#deps.api.chooseModel(ref, model ?? null);
	}
}
