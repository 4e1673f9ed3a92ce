import type { MethodResult, Routing } from "@xworkmate/contracts";
import { type Clock, timestamp } from "../ports/clock.ts";
import type { OperatorService } from "../ports/operator-service.ts";
import type { OperatorStore } from "../ports/operator-store.ts";
import type { RunService } from "../ports/runs/run-service.ts";
import type { DiscordOperator, DiscordOptions } from "./discord/discord-operator.ts";
import type { PlanReviews } from "./discord/reviews/plan-reviews.ts";

export interface OperatorsParts {
	readonly discord: Omit<DiscordOptions, "token"> & { readonly token?: string };
	readonly runs: RunService;
	readonly store: OperatorStore;
	/** The routing of every message, because a message on Discord names no agent. */
	readonly routing: () => Promise<Routing>;
	/** The plan messages that are waiting for a decision by the user. */
	readonly reviews?: PlanReviews;
	readonly clock: Clock;
	readonly warn: (details: object, message: string) => void;
}

export interface Operators extends AsyncDisposable {
	readonly service: OperatorService;
	/** Returns immediately. Problems become findings, except that a library that cannot be loaded is only logged. */
	begin(): void;
}

/** Loading a library blocks the bridge, so it is delayed by this long, to let the bridge answer the first requests. */
const SOON_MS = 250;

/** Creates the services in which the user talks to the bridge. A service's library is loaded only if it is set up. */
export function createOperators({ discord, ...deps }: OperatorsParts): Operators {
	const { token } = discord;
	const since = timestamp(deps.clock.now());
	let begun: Promise<DiscordOperator | undefined> = Promise.resolve(undefined);
	let isClosed = false;
	const waiting = new DisposableStack();
	const start = async (secret: string) => {
		const [{ DiscordOperator: Opened }, { openConnection: open }] = await Promise.all([
			import("./discord/discord-operator.ts"),
			import("./discord/discord-connection.ts"),
		]);
		if (isClosed) return undefined;
		const operator = new Opened({ ...discord, token: secret }, { ...deps, open });
		operator.begin();
		return operator;
	};
	const notYet = (): MethodResult<"xworkmate.operators.list"> => ({
		operators: [{ operatorId: "discord", state: token === undefined ? "off" : "connecting", since, findings: [], unknownPosts: 0 }],
	});
	return {
		begin() {
			if (token === undefined) return;
			const started = Promise.withResolvers<DiscordOperator | undefined>();
			begun = started.promise;
			const now = () =>
				started.resolve(
					start(token).catch((error: unknown) => {
						deps.warn({ reason: error instanceof Error ? error.name : "unknown" }, "Discord could not be loaded");
						return undefined;
					}),
				);
			waiting.defer(() => started.resolve(undefined));
			waiting.use(deps.clock.at(deps.clock.now() + SOON_MS, now));
		},
		service: {
			async list() {
				const operator = await begun;
				return operator === undefined ? notYet() : { operators: [await operator.view()] };
			},
		},
		async [Symbol.asyncDispose]() {
			isClosed = true;
			waiting.dispose();
			await (await begun)?.[Symbol.asyncDispose]();
		},
	};
}
