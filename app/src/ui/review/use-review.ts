import type { ActionId, DeliveryAction, MethodResult, Occurrence, OccurrenceId, Plan, PlanId } from "@xworkmate/contracts";
import { useCallback, useEffect, useRef, useState } from "react";
import { reviewWords as words } from "../../strings/plans/review-words.ts";
import { APP_GONE, AppRefusal, sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { askOccurrence } from "../plans/use-occurrences.ts";
import { usePlanRead } from "../plans/use-plans.ts";
import { useChannels, useContacts } from "../plans/use-recipients.ts";
import { useApp } from "../state/app-context.tsx";
import { say } from "../state/toasts.ts";
import { useReadAgain } from "../state/use-read-again.ts";

export type Preview = MethodResult<"xworkmate.plans.preview">;

/** The plan and the occurrence that are shown. `occurrence` is absent if the plan has none with that id. */
export function useReviewed(planId: string, occurrenceId: string) {
	const ask = useCallback(async (): Promise<{ readonly plan: Plan; readonly occurrence?: Occurrence }> => {
		const [plan, occurrence] = await Promise.all([callApp("plan", { planId: planId as PlanId }), askOccurrence(planId, occurrenceId)]);
		return { plan, ...(occurrence && { occurrence }) };
	}, [planId, occurrenceId]);
	return usePlanRead(ask, planId);
}

export interface PreviewState {
	readonly preview?: Preview;
	readonly problem?: string;
}

interface Got extends PreviewState {
	readonly isDraft?: boolean;
	/** How many times `buildAgain` had been called when this preview was requested. */
	readonly builds: number;
	/** How many requests in a row the app has not answered. */
	readonly unanswered?: number;
}

interface Waiting {
	/** The number of the build that the caller waits for. A later build ends the wait too. */
	readonly build: number;
	end(shown: PreviewState): void;
}

/**
 * The bytes of a message as they would be sent. They are built again when the occurrence changes, when a different text is typed, and when
 * `buildAgain` is called, for what may change without the occurrence: addresses, settings and files. After a failure, they are also built
 * again once the app and the bridge respond again, and a request that the app did not answer is repeated. The promise of `buildAgain`
 * resolves once the new build is on the page, with what is shown: the preview, or why there is none. It resolves with neither if there is
 * nothing to build or the page was left. If the bytes differ after an address has changed, the user is told, because nothing else
 * distinguishes the new version from the one that the user has read.
 */
export function usePreview(
	occurrence: Occurrence | undefined,
	action: DeliveryAction | undefined,
	content: string | undefined,
): PreviewState & { buildAgain(): Promise<PreviewState> } {
	const [got, setGot] = useState<Got>({ builds: 0 });
	const [builds, setBuilds] = useState(0);
	const waiting = useRef<readonly Waiting[]>([]);
	const newest = useRef(0);
	const isLeft = useRef(false);
	const buildAgain = useCallback(async () => {
		if (isLeft.current) return {};
		newest.current += 1;
		const build = newest.current;
		setBuilds(build);
		return await new Promise<PreviewState>((end) => {
			waiting.current = [...waiting.current, { build, end }];
		});
	}, []);
	const tell = useCallback((built: number, shown: PreviewState) => {
		const told = waiting.current.filter(({ build }) => build <= built);
		waiting.current = waiting.current.filter(({ build }) => build > built);
		for (const { end } of told) end(shown);
	}, []);
	// Called in an effect, because an effect runs once the new build is on the page.
	useEffect(() => tell(got.builds, got), [tell, got]);
	useEffect(() => {
		isLeft.current = false;
		return () => {
			isLeft.current = true;
			tell(Number.POSITIVE_INFINITY, {});
		};
	}, [tell]);
	const { app, state, announce } = useApp();
	const isReachable = state === "live" && app.bridge.state === "connected";
	const hasFailed = got.problem !== undefined;
	// biome-ignore lint/correctness/useExhaustiveDependencies: a failure is no reason to ask again at once
	useEffect(() => {
		if (isReachable && hasFailed) void buildAgain();
	}, [isReachable, buildAgain]);
	const repeat = useCallback(() => void buildAgain(), [buildAgain]);
	const addresses = useAddresses();
	const builtFor = useRef(addresses);
	/** The build that the last change to an address caused, until the preview of that build or of a later one is shown. */
	const readdressed = useRef<number>(undefined);
	useEffect(() => {
		// The first addresses are not a change, because the first build used the same addresses or newer ones.
		if (builtFor.current !== undefined && addresses !== builtFor.current) {
			void buildAgain();
			readdressed.current = newest.current;
		}
		builtFor.current = addresses;
	}, [addresses, buildAgain]);
	const isWaiting = action?.status === "needs_review";
	/** The hash of the preview that was last on the page. */
	const shownHash = useRef<string>(undefined);
	useEffect(() => {
		const hash = got.preview?.payloadHash;
		// A build that failed shows nothing. The comparison is made once one succeeds.
		if (hash === undefined) return;
		const isOther = shownHash.current !== undefined && shownHash.current !== hash;
		shownHash.current = hash;
		if (readdressed.current === undefined || got.builds < readdressed.current) return;
		readdressed.current = undefined;
		if (!isOther || !isWaiting) return;
		const said = `${words.changed} ${words.newVersion}`;
		announce(said);
		say(said);
	}, [got, isWaiting, announce]);
	useReadAgain(isReachable ? (got.unanswered ?? 0) : 0, repeat);
	const occurrenceId = occurrence?.occurrenceId;
	const actionId = action?.actionId;
	const revision = occurrence?.revision;
	const isDraft = content !== undefined;
	const canBuild = isDraft || action?.content !== undefined || occurrence?.deliverable !== undefined;
	// biome-ignore lint/correctness/useExhaustiveDependencies: built again with each revision, and each time that the caller asks
	useEffect(() => {
		if (occurrenceId === undefined || actionId === undefined || !canBuild) return setGot({ builds });
		let isOld = false;
		const timer = setTimeout(() => void ask(occurrenceId, actionId), isDraft ? TYPING_MS : 0);
		const ask = async (of: OccurrenceId, one: ActionId) => {
			try {
				const preview = await callApp("previewMessage", { occurrenceId: of, actionId: one, ...(isDraft && { content }) });
				if (!isOld) setGot({ preview, isDraft, builds });
			} catch (error) {
				const isUnanswered = error instanceof AppRefusal && error.code === APP_GONE;
				const failed = { problem: sayError(error), isDraft, builds };
				if (!isOld) setGot(({ unanswered = 0 }) => ({ ...failed, ...(isUnanswered && { unanswered: unanswered + 1 }) }));
			}
		};
		return () => {
			isOld = true;
			clearTimeout(timer);
		};
	}, [occurrenceId, actionId, revision, content, canBuild, builds]);
	// Until the message itself is built, the draft's preview is hidden, because it could be mistaken for what was sent.
	return { ...(got.isDraft === isDraft ? got : {}), buildAgain };
}

/** The recipients and their addresses as one string, for comparison; undefined until they have been read. */
function useAddresses(): string | undefined {
	const { value: contacts } = useContacts();
	const { value: channels } = useChannels();
	const owners = channels?.map(({ channel, owner }) => [channel, owner]);
	const isRead = contacts !== undefined && owners !== undefined;
	return isRead ? JSON.stringify([contacts.map(({ contactId, name, addresses }) => [contactId, name, addresses]), owners]) : undefined;
}

/** How long to wait after a keystroke before the preview is built again. */
const TYPING_MS = 300;
