import { PluginKind, declareClassPlugin } from '@stryker-mutator/api/plugin';

const INTERVAL_MS = 60_000;

/** Prints a line each minute: how many mutations are done, and how many of them were not found. */
class ProgressReporter {
  #start = Date.now();
  #all = 0;
  #done = 0;
  #survived = 0;
  #timer;

  onMutationTestingPlanReady({ mutantPlans }) {
    this.#all = mutantPlans.length;
    this.#timer = setInterval(() => this.#print(), INTERVAL_MS);
  }

  onMutantTested({ status }) {
    this.#done++;
    if (status === 'Survived' || status === 'NoCoverage') this.#survived++;
  }

  onMutationTestReportReady() {
    clearInterval(this.#timer);
  }

  #print() {
    const minutes = Math.round((Date.now() - this.#start) / INTERVAL_MS);
    process.stdout.write(
      `${minutes} min: ${this.#done} of ${this.#all} mutations are done, ${this.#survived} of them not found\n`,
    );
  }
}

/** The plugin, as Stryker loads it. */
export const strykerPlugins = [declareClassPlugin(PluginKind.Reporter, 'minutes', ProgressReporter)];
