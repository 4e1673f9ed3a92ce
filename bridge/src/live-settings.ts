import type { EffectiveSetting, MethodResult, SettingsProblem } from "@xworkmate/contracts";
import { SecretFileError } from "@xworkmate/platform/files";
import {
	bridgeSettings,
	type CombinedSetting,
	combineSettings,
	jsonValueOf,
	readConfigFile,
	readStoredSecrets,
	type SettingTexts,
	saidProblem,
} from "@xworkmate/platform/settings";
import { type BridgeConfig, configOf, readFlags, readVariables } from "./config/config.ts";
import { ConfigError } from "./config/config-error.ts";
import { ToolWatch } from "./tools/integrations/tool-watch.ts";

type Variables = Readonly<Record<string, string | undefined>>;
type ByName = ReadonlyMap<string, CombinedSetting>;

/**
 * The settings of this process. `config` begins with those from startup; later changes to config.json are applied to it if they need no
 * restart. If the file cannot be used, the previous settings stay in effect.
 */
export class LiveSettings {
	/** The current settings. The object's members are updated when config.json changes; a copied value is not. */
	readonly config: BridgeConfig;
	readonly #flags: SettingTexts;
	readonly #environment: Variables;
	readonly #started: ByName;
	#now: readonly CombinedSetting[];
	#problem: SettingsProblem | undefined;
	#applied: () => void = () => undefined;

	private constructor(flags: SettingTexts, environment: Variables, started: readonly CombinedSetting[]) {
		this.#flags = flags;
		this.#environment = environment;
		this.#now = started;
		this.#started = new Map(started.map((one) => [one.setting.name, one]));
		this.config = configOf(started, environment);
	}

	/**
	 * Reads flags (without node and script), the environment, `<home>/config.json` and the files of secrets.
	 * @throws ConfigError for a misspelled name, a bad value or combination, or a secret's file that cannot be used; an error in config.json
	 * names the line and column
	 */
	static async open(environment: Variables, argv: readonly string[]): Promise<LiveSettings> {
		const flags = readFlags(argv);
		const without = combineSettings({ flags, environment: readVariables(environment), file: new Map() }, bridgeSettings);
		const home = homeOf(without, environment);
		return new LiveSettings(flags, environment, await readNow(home, flags, environment));
	}

	/** `applied` is called after something in `config` may have changed. */
	onApplied(applied: () => void): void {
		this.#applied = applied;
	}

	/** Reads the file whenever it changes. `onProblem` is called if it cannot be used, but not again while the reason stays the same. */
	watch(onProblem: (problem: SettingsProblem) => void): Disposable {
		// The last problem that was reported here. `#problem` can't be used for this, because `list` sets it without reporting the problem.
		let told: string | undefined;
		const look = async () => {
			await this.#refresh();
			const problem = this.#problem;
			const isNew = problem?.message !== told;
			told = problem?.message;
			if (problem !== undefined && isNew) onProblem(problem);
		};
		const watch = new ToolWatch({ changed: look });
		watch.follow([this.config.home]);
		return watch;
	}

	/** Every setting in effect, after checking the file for changes. Never includes a secret's value. */
	async list(): Promise<MethodResult<"xworkmate.settings.list">> {
		await this.#refresh();
		const settings = this.#now.map((now) => this.#effective(now));
		return { settings, ...(this.#problem && { problem: this.#problem }) };
	}

	#effective(now: CombinedSetting): EffectiveSetting {
		const { setting } = now;
		const started = this.#started.get(setting.name) ?? now;
		const { source, text = setting.default } = setting.live ? now : started;
		// A default that config.json sets as well is the same value.
		const isWaiting = !setting.live && (started.text ?? setting.default) !== (now.text ?? setting.default);
		const value = setting.name === "XWORKMATE_HOME" ? this.config.home : jsonValueOf(setting, text);
		const isShown = !setting.isSecret && value !== "";
		return { key: setting.key, source, ...(isShown && { value }), ...(isWaiting && { waiting: true as const }) };
	}

	async #refresh(): Promise<void> {
		try {
			const now = await readNow(this.config.home, this.#flags, this.#environment);
			// Throws if the settings can't be used together, such as an address that needs a token and TLS without them.
			configOf(now, this.#environment);
			const mixed = now.map((one) => (one.setting.live ? one : (this.#started.get(one.setting.name) ?? one)));
			const isSame = now.every((one, index) => one.text === this.#now[index]?.text);
			this.#now = now;
			this.#problem = undefined;
			if (!isSame) this.#apply(configOf(mixed, this.#environment));
		} catch (error) {
			if (!(error instanceof ConfigError)) throw error;
			this.#problem = { message: error.message, fix: error.fix };
		}
	}

	/** Assigned in place, because the parts of the bridge share these objects. */
	#apply({ runLimits, approvalPolicy, openclaw, allowedRoots, defaultProvider, logLevel }: BridgeConfig): void {
		const { config } = this;
		Object.assign(config.runLimits, runLimits);
		Object.assign(config.approvalPolicy, approvalPolicy);
		Object.assign(config.openclaw, openclaw);
		Object.assign(config, { allowedRoots, defaultProvider, logLevel });
		this.#applied();
	}
}

function homeOf(combined: readonly CombinedSetting[], { HOME }: Variables): string {
	const given = combined.filter(({ setting }) => setting.name === "XWORKMATE_HOME");
	// Reads only the home, because errors in other settings are reported once the home's config.json has been read.
	return configOf(given, { HOME }).home;
}

/** @throws ConfigError for a file that cannot be used */
async function readNow(home: string, flags: SettingTexts, environment: Variables): Promise<readonly CombinedSetting[]> {
	const file = await readConfigFile(home);
	const said = saidProblem(file);
	if (said !== undefined) throw new ConfigError(said.message, said.fix);
	const texts = [...file.values].map(([name, { text }]) => [name, text] as const);
	const places = { flags, environment: readVariables(environment), file: new Map([...texts, ...storedSecrets(home)]) };
	return combineSettings(places, bridgeSettings);
}

function storedSecrets(home: string): SettingTexts {
	try {
		return readStoredSecrets(home);
	} catch (error) {
		if (!(error instanceof SecretFileError)) throw error;
		throw new ConfigError(error.message, "Make it a regular file that only you can read (chmod 600), or delete it.");
	}
}
