import { CircleAlert, RotateCcw } from "lucide-react";
import type { SettingList, SettingRow } from "../../api/setting-view.ts";
import { fill } from "../../strings/interface.ts";
import { settingFormWords as words } from "../../strings/settings/setting-form-words.ts";
import { Icon } from "../components/icon.tsx";
import { useStore } from "../connection/store.ts";
import { useApp } from "../state/app-context.tsx";
import { visibleName } from "../text/visible-text.ts";
import { bridgeRestart, RestartButton } from "./restart-button.tsx";
import { nameOf, readSettings } from "./setting-list.ts";

/** What is wrong with the settings, and which changes need a restart. A bridge that the app started can be restarted here. */
export function SettingsNotice({ list }: { readonly list: SettingList }) {
	const { own, startedByUser } = useApp().app.bridge;
	const isBusy = useStore(bridgeRestart);
	const waiting = (part: SettingRow["waits"]) => list.settings.filter(({ waits }) => waits === part).map(nameOf);
	const [bridge, app] = [waiting("bridge"), waiting("app")];
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
					{own && startedByUser !== true && <RestartButton after={readSettings} />}
				</div>
			)}
			{app.length > 0 && (
				<p className="note" role="status">
					<Icon of={RotateCcw} />
					<span className="grow wrap">
						{fill(app.length === 1 ? words.waitingApp.one : words.waitingApp.many, { names: app.join(", ") })}
					</span>
				</p>
			)}
		</>
	);
}
