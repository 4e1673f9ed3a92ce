import { CircleAlert, RotateCcw } from "lucide-react";
import { useState } from "react";
import type { SettingList, SettingRow } from "../../api/setting-view.ts";
import { fill } from "../../strings/interface.ts";
import { settingFormWords as words } from "../../strings/setting-form-words.ts";
import { Icon } from "../components/icon.tsx";
import { useApp } from "../state/app-context.tsx";
import { attempt } from "../state/thread-actions.ts";
import { visibleName } from "../text/visible-text.ts";
import { nameOf, restartForSettings } from "./setting-list.ts";

/** What is wrong with config.json, and what waits for a restart, with the restart. */
export function SettingsNotice({ list }: { readonly list: SettingList }) {
	const { own } = useApp().app.bridge;
	const [isBusy, setBusy] = useState(false);
	const waiting = (part: SettingRow["waits"]) => list.settings.filter(({ waits }) => waits === part).map(nameOf);
	const [bridge, app] = [waiting("bridge"), waiting("app")];
	const restart = () => {
		if (isBusy) return;
		setBusy(true);
		void attempt(restartForSettings).finally(() => setBusy(false));
	};
	return (
		<>
			{list.problem !== undefined && (
				<div className="note bad" role="alert">
					<Icon of={CircleAlert} />
					<p className="grow wrap">
						<b>{words.problem}</b> {visibleName(`${list.problem.message} ${list.problem.fix}`)}
					</p>
				</div>
			)}
			{bridge.length > 0 && (
				<div className="note" role="status">
					<Icon of={RotateCcw} spin={isBusy} />
					<p className="grow wrap">
						<b>{fill(bridge.length === 1 ? words.waiting.one : words.waiting.many, { names: bridge.join(", ") })}</b> {words.restartSay}
					</p>
					{own && (
						<button type="button" className="btn" aria-disabled={isBusy} onClick={restart}>
							{isBusy ? words.restarting : words.restart}
						</button>
					)}
				</div>
			)}
			{app.length > 0 && (
				<p className="note" role="status">
					<Icon of={RotateCcw} />
					<span className="grow wrap">{fill(words.waitingApp, { names: app.join(", ") })}</span>
				</p>
			)}
		</>
	);
}
