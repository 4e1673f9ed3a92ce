import type { Operator, OperatorFindingCode, OperatorState } from "@xworkmate/contracts";
import { type Clock, timestamp } from "../../ports/clock.ts";

const NO_APPROVER = {
	code: "DISCORD_NO_APPROVER",
	message: "No one can approve requests on Discord. You can still answer requests in XWorkmate.",
	fix: "Enter the ID of at least one Discord user under Settings > Discord > Approvers, then restart the bridge.",
} as const;

const endings = {
	DISCORD_TOKEN_REJECTED: {
		message: "Discord rejected the bot's token.",
		fix: "Reset the token in the Discord Developer Portal, store the new one under Settings > Discord > Bot token, then restart the bridge.",
	},
	DISCORD_INTENT_MISSING: {
		message: "Discord rejected the bot because it isn't allowed to read messages.",
		fix: "Turn on Message Content Intent in the Discord Developer Portal, under Bot, and restart the bridge.",
	},
} as const;

/** A request that the bot makes in a channel, which Discord can refuse. */
export type ChannelRequest = "post" | "edit" | "history";

const refusedWords: Readonly<Record<ChannelRequest, string>> = {
	post: "post in channel",
	edit: "edit a post in channel",
	history: "read the messages of channel",
};

/** How many of the latest runs are checked, once the bot is connected, for answers that were not posted. */
export const LATEST_RUNS = 100;

const UNTIL = "This message disappears once the bot has posted there again.";

interface Refusal {
	readonly request: ChannelRequest;
	readonly at: string;
}

/** The state of the connection, and what is wrong with it. */
export class DiscordStatus {
	readonly #clock: Clock;
	#state: OperatorState = "connecting";
	#since: string;
	#account: string | undefined;
	#ending: keyof typeof endings | undefined;
	#unreachable: string | undefined;
	readonly #noApprover: boolean;
	/**
	 * The last refusal in each channel. It is kept as a past event, because only the next request shows whether Discord would refuse again.
	 */
	readonly #refusals = new Map<string, Refusal>();

	constructor(clock: Clock, hasApprovers: boolean) {
		this.#clock = clock;
		this.#since = timestamp(clock.now());
		this.#noApprover = !hasApprovers;
	}

	get isRefused(): boolean {
		return this.#state === "refused";
	}

	connected(account: string | undefined): void {
		this.#account = account?.slice(0, 200) ?? this.#account;
		this.#unreachable = undefined;
		this.#change("connected");
	}

	/** The state is `slowed` until Discord accepts another request. */
	slowed(): void {
		if (this.#state === "connected") this.#change("slowed");
	}

	/** A post that Discord accepts clears any refusal in its channel; another request clears only a refusal of its own kind. */
	acceptedIn(channel: string, request: ChannelRequest): void {
		if (request === "post" || this.#refusals.get(channel)?.request === request) this.#refusals.delete(channel);
	}

	accepted(): void {
		if (this.#state === "slowed") this.#change("connected");
	}

	lost(why: string): void {
		if (this.isRefused) return;
		this.#unreachable = why;
		this.#change("lost");
	}

	/** The connection is not retried until the bridge restarts. */
	refused(ending: keyof typeof endings): void {
		this.#ending = ending;
		this.#unreachable = undefined;
		this.#change("refused");
	}

	forbidden(channel: string, request: ChannelRequest): void {
		this.#refusals.set(channel, { request, at: timestamp(this.#clock.now()) });
	}

	view(unknownPosts: number): Operator {
		return {
			operatorId: "discord",
			state: this.#state,
			since: this.#since,
			...(this.#account === undefined ? {} : { account: this.#account }),
			findings: [...this.#findings()],
			unknownPosts,
		};
	}

	*#findings(): Generator<{ code: OperatorFindingCode; message: string; fix: string }> {
		if (this.#ending !== undefined) yield { code: this.#ending, ...endings[this.#ending] };
		if (this.#unreachable !== undefined) {
			yield {
				code: "DISCORD_UNREACHABLE",
				message: `The bridge isn't connected to Discord: ${this.#unreachable} The bridge keeps trying. Once it is connected, it posts the answers that are missing, for the latest ${LATEST_RUNS} runs.`,
				fix: "Wait a few minutes. If this continues, check this computer's internet connection.",
			};
		}
		for (const [channel, { request, at }] of this.#refusals) {
			yield {
				code: "DISCORD_PERMISSION_MISSING",
				message: `Discord did not let the bot ${refusedWords[request]} ${channel} (${at}).`,
				fix: `Allow "View Channel", "Send Messages", "Attach Files" and "Read Message History" for the bot there. ${UNTIL}`,
			};
		}
		if (this.#noApprover) yield NO_APPROVER;
	}

	#change(state: OperatorState): void {
		if (state === this.#state) return;
		this.#state = state;
		this.#since = timestamp(this.#clock.now());
	}
}
