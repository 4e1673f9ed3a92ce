import type { HomeLine } from "../../api/app-api.ts";
import type { Finding } from "../../api/ui-api.ts";
import { homeVerificationRoute } from "../../api/ui-routes.ts";
import { words } from "../../strings/interface.ts";
import { verifyWords } from "../../strings/settings/verify-words.ts";
import { APP_GONE, AppRefusal, type RefusedLine, sayError } from "../connection/app-refusal.ts";
import { readLines } from "../connection/read-lines.ts";
import { Store } from "../connection/store.ts";

interface VerifiedHome {
	readonly findings: readonly Finding[];
	/** When the verification began. Changes made after that may not have been read. */
	readonly at: string;
	readonly tookMs: number;
}

type Progress = Extract<HomeLine, { type: "progress" }>;

interface HomeVerification {
	/** The last result. It stays until there is a new one. */
	readonly verified?: VerifiedHome;
	readonly isRunning?: true;
	readonly progress?: Progress;
	/** Why there is no new result. */
	readonly problem?: string;
}

/** Kept while this window is open. A result becomes less reliable with age, so its time is shown. */
export const homeVerification = new Store<HomeVerification>({});

let stop = new AbortController();

export async function verifyHome(): Promise<void> {
	const { verified: before } = homeVerification.value;
	const last = before && { verified: before };
	homeVerification.set({ ...last, isRunning: true });
	const begun = Date.now();
	stop = new AbortController();
	try {
		const findings = await found((progress) => homeVerification.set({ ...last, isRunning: true, progress }));
		homeVerification.set({ verified: { findings, at: new Date(begun).toISOString(), tookMs: Date.now() - begun } });
	} catch (error) {
		const problem = stop.signal.aborted ? verifyWords.stopped : verifyWords.failed.replace("{problem}", sayError(error));
		homeVerification.set({ ...last, problem });
	}
}

/** Stops the current verification, in the app too. */
export function stopVerifyingHome(): void {
	stop.abort();
}

/** @throws AppRefusal with the app's code, or APP_GONE */
async function found(onProgress: (progress: Progress) => void): Promise<readonly Finding[]> {
	const findings: Finding[] = [];
	for await (const line of readLines<HomeLine | RefusedLine | { readonly type: "alive" }>(homeVerificationRoute(), stop.signal)) {
		if (line.type === "ended") return findings;
		if (line.type === "refused") throw new AppRefusal(line.failure.code, line.failure.message);
		if (line.type === "finding") findings.push(line.finding);
		if (line.type === "progress") onProgress(line);
	}
	throw new AppRefusal(APP_GONE, words.page.appSilent);
}
