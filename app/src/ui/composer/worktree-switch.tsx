import { GitBranch } from "lucide-react";
import { useEffect, useState } from "react";
import { words } from "../../strings/interface.ts";
import { Icon } from "../components/icon.tsx";
import { callApp } from "../connection/call-app.ts";

interface WorktreeSwitchProps {
	/** The chosen project folder. The component needs a new key for another one. */
	readonly folder: string;
	readonly isOn: boolean;
	turn(isOn: boolean): void;
}

/**
 * Lets the run work in a worktree. It is offered only if the folder is in a git repository, because the bridge refuses a worktree of any
 * other folder. If the app can't say, it is offered: the bridge's refusal then gives the reason. A worktree that is already chosen can
 * always be turned off.
 */
export function WorktreeSwitch({ folder, isOn, turn }: WorktreeSwitchProps) {
	const [isPossible, setPossible] = useState(false);
	useEffect(() => {
		let stale = false;
		const settle = (isIt: boolean) => stale || setPossible(isIt);
		callApp("listFolders", { path: folder }).then(
			(listings) => settle(listings.some(({ isInRepository }) => isInRepository)),
			() => settle(true),
		);
		return () => {
			stale = true;
		};
	}, [folder]);
	if (!isPossible && !isOn) return null;
	return (
		<button
			type="button"
			className="btn quiet tool"
			title={words.composer.worktreeSay}
			aria-pressed={isOn}
			data-set={isOn}
			onClick={() => turn(!isOn)}
		>
			<Icon of={GitBranch} />
			<span className="tool-label">{words.composer.worktree}</span>
		</button>
	);
}
