import type { Preview, SessionUpdate, ToolCallId } from "@xworkmate/contracts";
import { RESUMED, type TurnEvent } from "../../../api/app-api.ts";
import { formatBytes, formatSpan } from "../../../text/format-measure.ts";
import { PrintableStream } from "../../../text/printable.ts";
import type { Console } from "../../parts/console.ts";
import { terminalJson } from "../terminal-json.ts";
import { describeEnd } from "./describe-end.ts";
import { describeQueue } from "./describe-queue.ts";
import { describeUpdate, type EarlierUpdates } from "./describe-update.ts";
import { removedWords } from "./removed-words.ts";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const;
const FRAME_MS = 120;
const REMEMBERED_INPUTS = 500;

/** Shows a turn. `stop` removes the live status line. */
export interface TurnDisplay {
	/** `isRemoved`: the turn was refused and its thread was removed. */
	show(event: TurnEvent, isRemoved?: boolean): void;
	stop(): void;
}

/** `--json`: prints every event, one per line. Events other than updates may contain a fix. */
export function jsonDisplay(console: Console): TurnDisplay {
	const write = (event: TurnEvent) => (event.type === "update" ? JSON.stringify(event) : terminalJson(event));
	return {
		show: (event, isRemoved = false) => {
			console.line(write(event));
			if (isRemoved) console.note(removedWords);
		},
		stop: () => undefined,
	};
}

/** Prints the answer to standard output and everything else to standard error, with a live status line on a terminal. */
export class TextDisplay implements TurnDisplay {
	readonly #console: Console;
	readonly #folder: string;
	/** When the time in the status line started: when this display began to follow the turn, and later when saving the run's files began. */
	#startedAt = Date.now();
	readonly #answer = new PrintableStream();
	readonly #timer: NodeJS.Timeout | undefined;
	/** The latest output of each running tool. */
	readonly #outputs = new Map<ToolCallId, string>();
	/** The latest input of each tool call, because the updates that end a call may leave it out. */
	readonly #inputs = new Map<ToolCallId, Preview>();
	/** The tool calls for which there was a request, and whether the last one is still open. */
	readonly #asked = new Map<ToolCallId, { readonly isOpen: boolean }>();
	#messageId: string | undefined;
	/** True once the bridge has reported an update of the run, which means that it has accepted the turn. */
	#accepted = false;
	#doing = "sending";
	/** True while contact with the run is lost. The status line is not animated then, because the run may not be continuing. */
	#isLost = false;
	/** True if contact was lost because this computer can't save the run's updates. The connection may have been fine. */
	#wasLocal = false;
	#lastNote = "";
	#frame = 0;

	constructor(console: Console, folder: string) {
		this.#console = console;
		this.#folder = folder;
		if (console.interactive) this.#timer = setInterval(() => this.#draw(), FRAME_MS);
	}

	show(event: TurnEvent, isRemoved = false): void {
		switch (event.type) {
			case "update":
				this.#update(event.update);
				break;
			case "gatewayQueue":
				this.#note(describeQueue(event));
				break;
			case "connection_lost":
				// RESUMED only means that the app is asking for the run's state; if contact was already lost, the earlier reason still applies.
				if (event.code !== RESUMED || !this.#isLost) this.#wasLocal = event.local === true;
				this.#isLost = true;
				this.#note(this.#lost(event));
				break;
			case "connection_restored":
				this.#reconnected();
				break;
			case "syncing":
				this.#startedAt = Date.now();
				this.#note(`saving ${event.files} ${event.files === 1 ? "file" : "files"}, ${formatBytes(event.totalBytes)}`);
				break;
			case "ended":
				this.#ended(event, isRemoved);
		}
	}

	stop(): void {
		clearInterval(this.#timer);
		this.#console.status("");
	}

	/** Says only what is known: a lost connection does not mean that the run has stopped. */
	#lost({ code, bridgeEnded, local }: Extract<TurnEvent, { type: "connection_lost" }>): string {
		if (bridgeEnded) return "The bridge stopped during this run. Checking whether the run was interrupted…";
		if (code === RESUMED) return "Asking the bridge for the run's state…";
		if (code === "DISK_FULL") {
			return this.#accepted
				? "The disk is full, so the run's progress can't be saved. It may still be running. Trying again…"
				: "The disk is full. The message will be sent again when there is space. This can't start the run twice. Waiting…";
		}
		if (local && !this.#accepted) {
			const what = `XWorkmate can't save the status of your message (${code}), which may not have arrived.`;
			return `${what} Sending it again can't start the run twice. Trying again…`;
		}
		if (local) return `XWorkmate can't save the run's progress (${code}). The run may still be running. Trying again…`;
		if (!this.#accepted) return `The bridge isn't responding (${code}). Sending the message again can't start the run twice. Trying again…`;
		return `Lost contact with the bridge (${code}). The run may still be running. Reconnecting…`;
	}

	#update(update: SessionUpdate): void {
		this.#accepted = true;
		this.#reconnected();
		if (update.update.kind === "approval" && update.update.toolCallId !== undefined) {
			this.#asked.set(update.update.toolCallId, { isOpen: update.update.state === "pending" });
		}
		const words = describeUpdate(update, this.#before(update));
		if (update.update.kind === "message_delta") this.#say(update.update.messageId, update.update.text);
		else if (words !== undefined) this.#note(words);
	}

	/** Printed once after contact was lost: when it is restored, or before the first update. */
	#reconnected(): void {
		if (this.#isLost) this.#note(this.#wasLocal ? "the retry succeeded" : "reconnected");
		this.#isLost = false;
	}

	/** What earlier updates said about a call, and whether there was a request for it. */
	#before({ update }: SessionUpdate): EarlierUpdates {
		if (update.kind !== "tool_call") return {};
		const { toolCallId, state, output: now, input } = update;
		const asked = this.#asked.get(toolCallId);
		const before = {
			output: this.#outputs.get(toolCallId),
			input: this.#inputs.get(toolCallId),
			wasAsked: asked !== undefined,
			isAnswered: asked?.isOpen === false,
		};
		if (state === "completed" || state === "failed") this.#outputs.delete(toolCallId);
		else if (now !== undefined) this.#outputs.set(toolCallId, now.text);
		if (input !== undefined) this.#inputs.set(toolCallId, input);
		const [oldest] = this.#inputs.keys();
		if (this.#inputs.size > REMEMBERED_INPUTS && oldest !== undefined) this.#inputs.delete(oldest);
		return before;
	}

	#say(messageId: string, text: string): void {
		if (this.#messageId !== messageId) this.#endAnswer();
		this.#messageId = messageId;
		this.#console.out(this.#answer.push(text));
	}

	#endAnswer(): void {
		this.#console.out(this.#answer.end());
		this.#console.endLine();
	}

	#ended(event: Extract<TurnEvent, { type: "ended" }>, isRemoved: boolean): void {
		this.stop();
		this.#endAnswer();
		for (const line of describeEnd(event, this.#folder, isRemoved)) this.#console.note(line);
	}

	#note(words: string): void {
		this.#doing = words;
		// A stage that is reported several times in a row is printed once.
		if (words === this.#lastNote) return;
		this.#lastNote = words;
		this.#console.note(this.#console.colors.dim(`· ${words}`));
	}

	#draw(): void {
		const seconds = Math.floor((Date.now() - this.#startedAt) / 1000);
		this.#frame = (this.#frame + 1) % FRAMES.length;
		this.#console.status(`${this.#isLost ? "·" : FRAMES[this.#frame]} ${this.#doing} · ${formatSpan(seconds * 1000)}`);
	}
}
