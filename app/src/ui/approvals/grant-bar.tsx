import type { Approval, ThreadId } from "@xworkmate/contracts";
import { ShieldCheck } from "lucide-react";
import { useState } from "react";
import { fill, words } from "../../strings/interface.ts";
import { grantEnd } from "../../text/calls/grant-end.ts";
import { Icon } from "../components/icon.tsx";
import { AppRefusal } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { useApp, useBridgeNow, useProviderName } from "../state/app-context.tsx";
import { attempt } from "../state/thread-actions.ts";
import { grantHolds } from "./grant-hint.ts";

interface GrantBarProps {
	readonly threadId: ThreadId;
	/** Called after a grant has been revoked, to move the focus, because the grant's button disappears. */
	onGone(): void;
}

/**
 * The grants in force in this thread, and those revoked only until the bridge restarts: what each covers, until when, and a button to
 * revoke it.
 */
export function GrantBar({ threadId, onGone }: GrantBarProps) {
	const { app } = useApp();
	const now = useBridgeNow();
	const grants = (app.grants ?? []).filter((grant) => grant.threadId === threadId && (grantEnd(grant) ?? 0) > now);
	if (grants.length === 0) return null;
	return (
		<ul className="grants" aria-label={words.ask.grants}>
			{grants.map((grant) => (
				<GrantChip key={grant.approvalId} grant={grant} onGone={onGone} />
			))}
		</ul>
	);
}

function GrantChip({ grant, onGone }: { readonly grant: Approval; onGone(): void }) {
	const { announce } = useApp();
	const [isRevoking, setRevoking] = useState(false);
	// Shown until the next attempt, because a toast disappears soon, while the permission is still in force.
	const [hasFailed, setFailed] = useState(false);
	const provider = useProviderName(grant.asker?.providerId);
	const what = grantHolds(grant, provider);
	if (what === undefined) return null;
	const revoke = async () => {
		setRevoking(true);
		setFailed(false);
		let isOff = false;
		const done = await attempt(() =>
			callApp("revokeGrant", { approvalId: grant.approvalId }).catch((error: unknown) => {
				// Off until the bridge restarts, which the chip says as soon as the grants have been listed again.
				isOff = error instanceof AppRefusal && error.code === "DISK_FULL";
				throw error;
			}),
		);
		setRevoking(false);
		setFailed(!done && !isOff);
		if (!done) return;
		announce(words.ask.revoked);
		onGone();
	};
	return (
		<li>
			<Icon of={ShieldCheck} small />
			<span className="wrap grow">{what}</span>
			{hasFailed && grant.revokedAt === undefined && <span className="small nowrap">{words.ask.notRevoked}</span>}
			<button
				type="button"
				className="btn quiet"
				aria-disabled={isRevoking}
				aria-label={fill(words.ask.revokeOf, { what })}
				onClick={() => isRevoking || void revoke()}
			>
				{words.ask.revoke}
			</button>
		</li>
	);
}
