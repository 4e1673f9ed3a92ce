import type { Routing } from "@xworkmate/contracts";
import { ArrowUp, FileCheck, Paperclip } from "lucide-react";
import { useRef } from "react";
import { words } from "../../strings/interface.ts";
import { AgentPicker } from "../agents/agent-picker.tsx";
import { Icon } from "../components/icon.tsx";
import { FolderPicker } from "./folder-picker.tsx";
import type { ComposerOptions } from "./send-composed.ts";
import { WorktreeSwitch } from "./worktree-switch.tsx";

interface ComposerToolsProps {
	readonly routing: Routing | undefined;
	readonly options: ComposerOptions;
	/** Shown before the send button: how much is attached if that is near the limit, or a hint about keyboard shortcuts. */
	readonly say: string;
	readonly isChoosing: boolean;
	readonly isRequiring: boolean;
	readonly isReady: boolean;
	readonly busy: boolean;
	setOptions(options: ComposerOptions): void;
	setChoosing(isChoosing: boolean): void;
	/** Shows the field for required files and moves the focus into it. Hides the field again if there are no required files. */
	require(): void;
	attach(files: Iterable<File>): void;
}

/** The composer's lower row. When it is narrow, its labels are hidden and its icons remain. */
export function ComposerTools(props: ComposerToolsProps) {
	const { routing, options, setOptions, busy, isReady } = props;
	const picker = useRef<HTMLInputElement>(null);
	return (
		<div className="tools">
			<button
				type="button"
				className="ib"
				aria-label={words.composer.attach}
				title={words.composer.attachSay}
				onClick={() => picker.current?.click()}
			>
				<Icon of={Paperclip} />
			</button>
			<input
				ref={picker}
				type="file"
				multiple
				hidden
				onChange={(event) => {
					props.attach(event.target.files ?? []);
					event.target.value = "";
				}}
			/>
			<AgentPicker
				{...(routing && { routing })}
				isOpen={props.isChoosing}
				setOpen={props.setChoosing}
				choose={(chosen) => setOptions({ ...options, routing: chosen })}
			/>
			<FolderPicker
				{...(options.workingDirectory !== undefined && { folder: options.workingDirectory })}
				choose={(folder) => {
					const { workingDirectory: _folder, worktree: _worktree, ...rest } = options;
					setOptions(folder === undefined ? rest : { ...options, workingDirectory: folder });
				}}
			/>
			{options.workingDirectory !== undefined && routing?.executionTarget !== "gateway" && (
				<WorktreeSwitch
					key={options.workingDirectory}
					folder={options.workingDirectory}
					isOn={options.worktree === true}
					turn={(isOn) => {
						const { worktree: _worktree, ...rest } = options;
						setOptions(isOn ? { ...rest, worktree: true } : rest);
					}}
				/>
			)}
			<button
				type="button"
				className="btn quiet tool"
				title={words.composer.require}
				aria-expanded={props.isRequiring}
				onClick={props.require}
			>
				<Icon of={FileCheck} />
				<span className="tool-label">{words.composer.require}</span>
			</button>
			<span className="muted num nowrap small tools-say">{props.say}</span>
			<button type="submit" className="send" aria-label={busy ? words.composer.sendQueue : words.composer.send} disabled={!isReady}>
				<Icon of={ArrowUp} />
			</button>
		</div>
	);
}
