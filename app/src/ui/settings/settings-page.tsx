import {
	Bell,
	Bot,
	ChartColumn,
	Database,
	FolderOpen,
	Keyboard,
	KeyRound,
	type LucideIcon,
	Mail,
	MessagesSquare,
	Palette,
	Route,
	ShieldCheck,
	SlidersHorizontal,
	Stethoscope,
	Users,
} from "lucide-react";
import { type ComponentProps, type ReactNode, useEffect, useRef } from "react";
import { settingsPageWords } from "../../strings/settings/settings-page-words.ts";
import { AppSilentLine } from "../components/app-silent-line.tsx";
import { Icon } from "../components/icon.tsx";
import { PageBar } from "../components/page-bar.tsx";
import { hrefOf } from "../state/route.ts";
import { AccountsSettings } from "./accounts-settings.tsx";
import { AgentsSettings } from "./agents-settings.tsx";
import { AppearanceSettings, NotificationSettings } from "./appearance-settings.tsx";
import { BridgeLogSettings } from "./bridge-log-settings.tsx";
import { ChannelsSettings } from "./channels-settings.tsx";
import { ContactsSettings } from "./contacts-settings.tsx";
import { DiagnosticsSettings } from "./diagnostics-settings.tsx";
import { DiscordSettings } from "./discord-settings.tsx";
import { GeneralSettings } from "./general-settings.tsx";
import { OpenClawSettings } from "./openclaw-settings.tsx";
import { PermissionsSettings } from "./permissions-settings.tsx";
import { SettingGroups } from "./setting-groups.tsx";
import { ShortcutsSettings } from "./shortcuts-settings.tsx";
import { StorageSettings } from "./storage-settings.tsx";
import { UsageSettings } from "./usage-settings.tsx";

type Part = keyof typeof settingsPageWords.parts;

/** The sections of the settings, the most frequently used ones first. */
const parts: readonly { readonly part: Part; readonly icon: LucideIcon; readonly show: () => ReactNode }[] = [
	{ part: "general", icon: SlidersHorizontal, show: () => <GeneralSettings /> },
	{ part: "agents", icon: Bot, show: () => withForms(<AgentsSettings />, ["runs"]) },
	{ part: "accounts", icon: KeyRound, show: () => withForms(<AccountsSettings />, ["models"]) },
	{ part: "folders", icon: FolderOpen, show: () => <SettingGroups groups={["folders"]} /> },
	{ part: "permissions", icon: ShieldCheck, show: () => <PermissionsSettings /> },
	{ part: "openclaw", icon: Route, show: () => withForms(<OpenClawSettings />, ["openclaw"]) },
	{ part: "channels", icon: Mail, show: () => withForms(<ChannelsSettings />, ["deliveries"]) },
	{ part: "contacts", icon: Users, show: () => <ContactsSettings /> },
	{ part: "discord", icon: MessagesSquare, show: () => withForms(<DiscordSettings />, ["discord"]) },
	{ part: "usage", icon: ChartColumn, show: () => <UsageSettings /> },
	{ part: "notifications", icon: Bell, show: () => <NotificationSettings /> },
	{ part: "storage", icon: Database, show: () => withForms(<StorageSettings />, ["storage"]) },
	{ part: "appearance", icon: Palette, show: () => <AppearanceSettings /> },
	{ part: "shortcuts", icon: Keyboard, show: () => <ShortcutsSettings /> },
	{ part: "diagnostics", icon: Stethoscope, show: () => withForms(<DiagnosticsSettings />, ["diagnostics", "bridge"]) },
];

/** A section of the settings, followed by the forms that belong to it. */
function withForms(part: ReactNode, groups: ComponentProps<typeof SettingGroups>["groups"]): ReactNode {
	return (
		<>
			{part}
			<SettingGroups groups={groups} />
		</>
	);
}

/** The sections that are only about this browser, and the one that has its own message for an app that isn't responding. */
const ownParts: ReadonlySet<Part> = new Set(["appearance", "shortcuts", "notifications", "diagnostics"]);

/** The section to show for an address that earlier versions used, and for that of the log, which is a page below Diagnostics. */
const elsewhere: Readonly<Record<string, Part>> = {
	doctor: "diagnostics",
	look: "appearance",
	places: "storage",
	keys: "shortcuts",
	log: "diagnostics",
};

export default function SettingsPage({ part }: { readonly part: string }) {
	const name = Object.hasOwn(elsewhere, part) ? elsewhere[part] : part;
	const here = parts.find((one) => one.part === name) ?? parts[0];
	const current = useRef<HTMLAnchorElement>(null);
	// On a phone, the names are on one line that is wider than the screen, so the current one is scrolled into view.
	// biome-ignore lint/correctness/useExhaustiveDependencies: runs when another section becomes current
	useEffect(() => {
		// The result is not returned: in some browsers it is a promise, and React expects a cleanup function.
		void current.current?.scrollIntoView({ block: "nearest", inline: "center" });
	}, [here]);
	return (
		<main className="main" tabIndex={-1}>
			<PageBar title={settingsPageWords.title} />
			<div className="set">
				<nav aria-label={settingsPageWords.title}>
					{parts.map((one) => (
						<a
							key={one.part}
							href={hrefOf({ page: "settings", part: one.part })}
							aria-current={one.part === here?.part ? "page" : undefined}
							ref={one.part === here?.part ? current : undefined}
						>
							<Icon of={one.icon} />
							{settingsPageWords.parts[one.part]}
						</a>
					))}
				</nav>
				{/* A new key mounts the section again, so that it is scrolled to its top. */}
				<div className="scroll" key={part}>
					<div className="page">
						{part === "log" ? (
							<>
								<h2 className="h-page">{settingsPageWords.bridgeLog}</h2>
								<BridgeLogSettings />
							</>
						) : (
							<>
								{here !== undefined && here.part !== "diagnostics" && <h2 className="h-page">{settingsPageWords.parts[here.part]}</h2>}
								{here !== undefined && !ownParts.has(here.part) && <AppSilentLine />}
								{here?.show()}
							</>
						)}
					</div>
				</div>
			</div>
		</main>
	);
}
