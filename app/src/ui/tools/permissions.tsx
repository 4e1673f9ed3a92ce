import type { Approval } from "@xworkmate/contracts";
import { useState } from "react";
import { toolsPageWords as words } from "../../strings/calls/tools-page-words.ts";
import { fill } from "../../strings/interface.ts";
import { whoOf } from "../../text/calls/decision-line.ts";
import { grantEnd } from "../../text/calls/grant-end.ts";
import { callApp } from "../connection/call-app.ts";
import { useApp, useBridgeNow } from "../state/app-context.tsx";
import { attempt } from "../state/thread-actions.ts";
import { formatClock, formatTime } from "../text/format.ts";
import { visibleName } from "../text/visible-text.ts";

/** The time-limited permissions that are in force for tools, in all threads, each with a button to revoke it. */
export function Permissions() {
	const { app } = useApp();
	const now = useBridgeNow();
	const grants = (app.grants ?? []).flatMap((grant) => {
		const end = grantEnd(grant);
		return grant.grantScope?.kind === "tool" && end !== undefined && end > now ? [{ grant, left: end - now }] : [];
	});
	if (grants.length === 0) return null;
	return (
		<section className="block" aria-label={words.permissions}>
			<h2>
				{words.permissions} <span className="muted normal">{grants.filter(({ grant }) => grant.revokedAt === undefined).length}</span>
			</h2>
			<ul className="list">
				{grants.map(({ grant, left }) => (
					<Permission key={grant.approvalId} grant={grant} left={left} />
				))}
			</ul>
		</section>
	);
}

function Permission({ grant, left }: { readonly grant: Approval; readonly left: number }) {
	const { app, announce } = useApp();
	const [isRevoking, setRevoking] = useState(false);
	const toolId = grant.grantScope?.kind === "tool" ? grant.grantScope.toolId : "";
	const thread = app.threads.find(({ threadId }) => threadId === grant.threadId);
	const who = visibleName(whoOf(grant.decidedBy ?? "person"));
	const revoke = async () => {
		setRevoking(true);
		const done = await attempt(() => callApp("revokeGrant", { approvalId: grant.approvalId }));
		setRevoking(false);
		if (done) announce(words.revoked);
	};
	return (
		<li className="item">
			<div>
				<p className="tool-line">
					<code className="tid">{toolId}</code>
					<span className="num strong">
						{grant.revokedAt === undefined ? fill(words.left, { time: formatClock(left) }) : words.revokedUntilRestart}
					</span>
				</p>
				<div className="sub">
					{thread !== undefined && <span>{fill(words.inThread, { title: visibleName(thread.title) })}</span>}
					{grant.decidedAt !== undefined && <span>{fill(words.allowedAt, { who, time: formatTime(grant.decidedAt) })}</span>}
				</div>
			</div>
			<div className="end">
				<button
					type="button"
					className="btn"
					disabled={isRevoking}
					aria-label={fill(words.revokeOf, { what: toolId })}
					onClick={() => void revoke()}
				>
					{words.revoke}
				</button>
			</div>
		</li>
	);
}
