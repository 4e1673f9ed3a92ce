import type { Approval } from "@xworkmate/contracts";
import { useState } from "react";
import { fill, words } from "../../strings/interface.ts";
import { asOfWords } from "../../strings/page/as-of-words.ts";
import { settingFormWords } from "../../strings/settings/setting-form-words.ts";
import { grantEnd } from "../../text/calls/grant-end.ts";
import { grantHolds } from "../approvals/grant-hint.ts";
import { callApp } from "../connection/call-app.ts";
import { useApp, useBridgeNow, useProviderName } from "../state/app-context.tsx";
import { attempt } from "../state/thread-actions.ts";
import { useReportedAsOf } from "../state/use-reported-as-of.ts";
import { formatTime } from "../text/format.ts";
import { visibleName } from "../text/visible-text.ts";
import { SettingGroups } from "./setting-groups.tsx";
import { Block } from "./settings-block.tsx";

/** What is allowed without asking, how long a request waits for an answer, and the permissions in force. */
export function PermissionsSettings() {
	const { app, state } = useApp();
	const asOf = useReportedAsOf();
	const now = useBridgeNow();
	const grants = (app.grants ?? []).filter((grant) => (grantEnd(grant) ?? 0) > now);
	return (
		<>
			<SettingGroups groups={["permissions"]} />
			<Block title={settingFormWords.grants}>
				{state === "live" && asOf !== undefined && app.grants !== undefined && (
					<p className="small muted">{fill(asOfWords.only, { time: formatTime(asOf) })}</p>
				)}
				{grants.length === 0 ? (
					<p className="muted">{app.grants === undefined ? settingFormWords.grantsUnknown : settingFormWords.noGrants}</p>
				) : (
					<ul className="list">
						{grants.map((grant) => (
							<GrantRow key={grant.approvalId} grant={grant} />
						))}
					</ul>
				)}
			</Block>
		</>
	);
}

function GrantRow({ grant }: { readonly grant: Approval }) {
	const { app, announce } = useApp();
	// The row names the thread, because the permission applies only there.
	const thread = app.threads.find(({ threadId }) => threadId === grant.threadId);
	const [isRevoking, setRevoking] = useState(false);
	const what = grantHolds(grant, useProviderName(grant.asker?.providerId)) ?? grant.title;
	const revoke = async () => {
		setRevoking(true);
		const done = await attempt(() => callApp("revokeGrant", { approvalId: grant.approvalId }));
		setRevoking(false);
		if (done) announce(words.ask.revoked);
	};
	return (
		<li className="item">
			<div className="grow wrap">
				{what}
				<p className="sub">
					{thread === undefined
						? settingFormWords.grantOtherThread
						: fill(settingFormWords.grantThread, { title: visibleName(thread.title) })}
				</p>
			</div>
			<div className="end">
				<button
					type="button"
					className="btn"
					aria-disabled={isRevoking}
					aria-label={fill(words.ask.revokeOf, { what })}
					onClick={() => isRevoking || void revoke()}
				>
					{words.ask.revoke}
				</button>
			</div>
		</li>
	);
}
