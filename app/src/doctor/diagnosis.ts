import { Redaction } from "@xworkmate/contracts";
import type { BridgeView, Finding } from "../api/ui-api.ts";
import type { GatewayQueue } from "../gateway-queue/index.ts";
import { readBridgeLog } from "../process/bridge/bridge-files.ts";
import { troubleWords } from "../process/bridge/bridge-trouble.ts";
import type { DatabaseCheck } from "../store/database-check.ts";
import { commandLine } from "../text/command-line.ts";
import type { RunningProcess } from "../text/running-words.ts";
import { examineDatabases } from "./examine-databases.ts";
import { examineMachine, roomFindings } from "./examine-machine.ts";
import { providerFindings, queueFindings, runningFinding } from "./finding.ts";
import { storedCredentials } from "./stored-credentials.ts";

/** If a log has no line breaks, this much of its beginning is dropped. Longer than any secret. */
const CUT_CHARACTERS = 4_096;

/** The time limit for each database, because the page waits for the answer. */
const DATABASE_MS = 10_000;

export interface DiagnosisParts {
	readonly home: string;
	/** Values of the environment that are redacted in every log. */
	readonly secrets: readonly string[];
	readonly gatewayQueue: Pick<GatewayQueue, "view">;
	/** The process of the running app: its id, and how and when it was started. */
	readonly running?: RunningProcess;
	/** The check of the app's database while the app runs. */
	readonly check?: Pick<DatabaseCheck, "damage">;
}

/** The results of all checks of this machine, as a window shows them. */
export class Diagnosis {
	readonly #parts: DiagnosisParts;

	constructor(parts: DiagnosisParts) {
		this.#parts = parts;
	}

	/** Findings about the machine, then about the bridge, its providers and the OpenClaw queue. */
	async findings({ state, url, refusal, capabilities, trouble, own }: BridgeView): Promise<readonly Finding[]> {
		const { home, running } = this.#parts;
		const [examined, databases] = await Promise.all([
			examineMachine(home),
			examineDatabases({ home, ownBridge: own, note: () => undefined, checkMs: DATABASE_MS }),
		]);
		const isFound = databases.some((finding) => finding.state === "problem");
		const app = running === undefined ? [] : [runningFinding(running)];
		const machine = [...examined, ...databases, ...(isFound ? [] : this.#databaseFindings()), ...app];
		if (trouble !== undefined) {
			const afterMs = trouble.startsAt === undefined ? 0 : Date.parse(trouble.startsAt) - Date.now();
			return [
				...machine,
				{
					about: "bridge",
					state: "problem",
					message: troubleWords(trouble, afterMs),
					fix: `Read the bridge's log: ${commandLine("logs")}`,
				},
			];
		}
		if (state !== "connected" || capabilities === undefined) {
			const {
				message = "The bridge isn't responding.",
				code = "BRIDGE_NOT_RUNNING",
				fix = `Start it: ${commandLine("start")}`,
			} = refusal ?? {};
			return [...machine, { about: "bridge", state: "problem", message: `${message} (${code})`, fix }];
		}
		const bridge: Finding = { about: "bridge", state: "ok", message: `Running at ${url ?? ""}.` };
		return [
			...machine,
			...roomFindings(capabilities),
			bridge,
			...providerFindings(capabilities),
			...queueFindings(capabilities, this.#parts.gatewayQueue.view),
		];
	}

	#databaseFindings(): readonly Finding[] {
		const damage = this.#parts.check?.damage;
		if (damage === undefined) return [];
		return [{ about: "home", state: "problem", message: `${damage.message} (${damage.code})`, fix: damage.fix }];
	}

	async bridgeLog(): Promise<{ readonly text: string; readonly truncated: boolean }> {
		const { text, truncated } = await readBridgeLog(this.#parts.home);
		return { text: new Redaction(await this.secrets()).text(truncated ? withoutFirstLine(text) : text), truncated };
	}

	/** The secrets that are stored in files of this home, and those in the environment. */
	async secrets(): Promise<readonly string[]> {
		return [...(await storedCredentials(this.#parts.home)), ...this.#parts.secrets];
	}
}

/** The first line of a shortened log may begin in the middle of a secret, which would not be recognized, so it is dropped. */
function withoutFirstLine(text: string): string {
	return text.slice(text.indexOf("\n") + 1 || CUT_CHARACTERS);
}
