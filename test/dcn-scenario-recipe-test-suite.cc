/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-output.h"

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-scenario-options.h"
#include "ns3/dcn-scenario-recipe.h"
#include "ns3/test.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>

using namespace ns3;

namespace
{

/// A table with every type of key and with conditions.
const DcnRecipe::Keys TABLE{
    {"kind", DcnRecipeKey::WORD, "path", 0, 0, "path+fabric", "", "kind"},
    {"nodes", DcnRecipeKey::WHOLE, "3+5", 1, 99, "", "kind=path", "nodes of a path"},
    {"nodes", DcnRecipeKey::WHOLE, "8", 1, 99, "", "kind=fabric", "nodes of a fabric"},
    {"hops", DcnRecipeKey::WHOLE, "1", 1, 9, "", "nodes=3", "a condition on a condition"},
    {"theta", DcnRecipeKey::NUMBER, "1:2", -10, 1e6, "", "", "a number"},
    {"rate", DcnRecipeKey::RATE, "10Gbps", 1, 1e12, "", "", "a rate"},
    {"delay", DcnRecipeKey::TIME, "", 0, 1e9, "", "", "a time"},
    {"seed", DcnRecipeKey::SINGLE, "1", 0, 9, "", "", "never drawn"},
    {"mode", DcnRecipeKey::CHOICE, "up", 0, 0, "up+down", "", "never drawn"},
    {"sizes", DcnRecipeKey::TEXT, "exp:5000", 0, 0, "", "", "a name"},
};

/// @return a recipe of TABLE
DcnRecipe
Make(const std::string& assignments)
{
    DcnRecipe recipe(TABLE, "a test");
    recipe.SetAll(assignments);
    return recipe;
}

/// @return the recipe, drawn by a seed
DcnRecipe
Draw(DcnRecipe recipe, uint64_t seed)
{
    recipe.DrawAll(DcnRandom(seed), DcnPurpose::RECIPE);
    return recipe;
}

/// Single values, ranges and choices are drawn as the grammar says, from a stream for each key.
DCN_TEST_CASE(DrawTestCase, "draws of ranges and choices")
{
    constexpr int N = 2000;
    const DcnRecipe recipe = Make("theta=10:1000:log,rate=10Gbps:40Gbps,delay=1us:3us:log,"
                                  "sizes=exp:1+web,nodes=4:6");
    std::map<std::string, int> count;
    double meanLog = 0;
    double meanRate = 0;
    for (int seed = 0; seed < N; ++seed)
    {
        const DcnRecipe drawn = Draw(recipe, seed);
        const double theta = drawn.GetNumber("theta");
        meanLog += std::log10(theta) / N;
        meanRate += static_cast<double>(drawn.GetRate("rate").GetBitRate()) / N;
        NS_TEST_EXPECT_MSG_EQ((theta >= 10 && theta <= 1000), true, "in the range");
        const Time delay = drawn.GetTime("delay");
        NS_TEST_EXPECT_MSG_EQ((delay >= MicroSeconds(1) && delay <= MicroSeconds(3)),
                              true,
                              "in the range");
        ++count["nodes " + drawn.Get("nodes")];
        ++count[drawn.Get("sizes")];
        NS_TEST_EXPECT_MSG_EQ(drawn.Get("seed"), "1", "what is not drawn stays");
    }
    // the standard error of a mean of uniform draws is width / sqrt(12 N)
    NS_TEST_EXPECT_MSG_EQ_TOL(meanLog, 2, 5 * 2 / std::sqrt(12.0 * N), "log-uniform");
    NS_TEST_EXPECT_MSG_EQ_TOL(meanRate, 25e9, 5 * 30e9 / std::sqrt(12.0 * N), "uniform");
    NS_TEST_EXPECT_MSG_EQ(count.size(), 3 + 2, "three numbers of nodes, two sizes");
    for (const auto& [what, n] : count)
    {
        const double p = what[0] == 'n' ? 1.0 / 3 : 0.5;
        NS_TEST_EXPECT_MSG_EQ_TOL(n, p * N, 5 * std::sqrt(p * (1 - p) * N), what);
    }
    // another range for one key leaves the other keys alone
    const DcnRecipe other = Draw(Make("theta=5,rate=10Gbps:40Gbps"), 7);
    NS_TEST_EXPECT_MSG_EQ(other.Get("rate"), Draw(recipe, 7).Get("rate"), "own streams");
}

/// What is printed reads back as the same recipe, before and after a draw.
DCN_TEST_CASE(TextTestCase, "a recipe that is printed and read back is the same")
{
    const std::string text = "kind=path+fabric,nodes=3+5+7,theta=-1e-3:1e+3,rate=1Mbps:2.5Gbps,"
                             "delay=100ns+1.5us,seed=3,sizes=exp:5000+a/b.csv";
    NS_TEST_EXPECT_MSG_EQ(Make(text).ToText(), text, "the order is that of the table");
    NS_TEST_EXPECT_MSG_EQ(Make("sizes=a,kind=path").ToText(), "kind=path,sizes=a", "likewise");
    std::set<std::string> all;
    for (uint64_t seed = 0; seed < 50; ++seed)
    {
        const DcnRecipe drawn = Draw(Make(text), seed);
        const DcnRecipe again = Make(drawn.ToText());
        NS_TEST_EXPECT_MSG_EQ(again.ToText(), drawn.ToText(), "as text");
        NS_TEST_EXPECT_MSG_EQ(Draw(again, 1).ToText(), drawn.ToText(), "nothing to draw");
        NS_TEST_EXPECT_MSG_EQ(again.GetNumber("theta"), drawn.GetNumber("theta"), "exactly");
        all.insert(drawn.ToText());
    }
    NS_TEST_EXPECT_MSG_EQ(all.size(), 50, "no two draws are the same");
    // a file whose name has a +, and one that is not there
    const std::string file = CreateTempDirFilename("a+b.csv");
    const std::string choices = CreateTempDirFilename("a+c.csv");
    DcnWriteTestFile(file, "");
    NS_TEST_EXPECT_MSG_EQ(Make("sizes=" + file).GetChoices("sizes").size(), 1, "a file");
    NS_TEST_EXPECT_MSG_EQ(Draw(Make("sizes=" + file), 1).Get("sizes"), file, "as it is");
    NS_TEST_EXPECT_MSG_EQ(Make("sizes=" + choices).GetChoices("sizes").size(), 2, "two texts");
    DcnRecipe recipe = Make("theta=4");
    recipe.Set("theta", "");
    NS_TEST_EXPECT_MSG_EQ(recipe.ToText(), "", "a key that is set to nothing is not set");
    NS_TEST_EXPECT_MSG_EQ(recipe.Get("theta"), "1:2", "but has its default");
    const DcnRecipe full = Make("theta=2.50,delay=1us,nodes=4");
    NS_TEST_EXPECT_MSG_EQ(full.ToFullText(),
                          "kind=path,nodes=4,theta=2.5,rate=10000000000bps,delay=1000ns,seed=1,"
                          "mode=up,sizes=exp:5000",
                          "all keys but hops, which has no effect; numbers in one form");
    NS_TEST_EXPECT_MSG_EQ(Make(full.ToFullText()).ToFullText(), full.ToFullText(), "likewise");
    const DcnRecipe some = Make("theta=1:2,rate=1Gbps+2Gbps,sizes=web");
    const std::vector<std::array<const char*, 3>> cases{{"theta", "1.50", "1"},
                                                        {"theta", "2.5", "0"},
                                                        {"rate", "1000Mbps", "1"},
                                                        {"rate", "1.5Gbps", "0"},
                                                        {"sizes", "web", "1"},
                                                        {"sizes", "exp:5000", "0"},
                                                        {"mode", "up", "0"}};
    for (const auto& [name, value, can] : cases)
    {
        NS_TEST_EXPECT_MSG_EQ(some.CanBe(name, value), (*can == '1'), name << " " << value);
    }
    const auto range = Make("theta=7+3").GetRange("theta");
    NS_TEST_EXPECT_MSG_EQ((range == std::pair<double, double>(3, 7)), true, "range");
}

/// Keys that depend on others.
DCN_TEST_CASE(DependenceTestCase, "keys that depend on others")
{
    NS_TEST_EXPECT_MSG_EQ(Make("kind=fabric").Get("nodes"), "8", "default by kind");
    NS_TEST_EXPECT_MSG_EQ(Make("").Get("nodes"), "3+5", "default by the default kind");
    NS_TEST_EXPECT_MSG_EQ(Make("kind=fabric").Get("hops"), "", "without effect");
    const DcnRecipe both = Make("kind=path+fabric,nodes=3+5,hops=4");
    both.CheckEffects();
    for (uint64_t seed = 0; seed < 30; ++seed)
    {
        const DcnRecipe drawn = Draw(both, seed);
        NS_TEST_EXPECT_MSG_EQ(drawn.Get("hops"),
                              (drawn.Get("nodes") == "3" ? "4" : ""),
                              "only with three nodes of a path");
        drawn.CheckEffects();
    }
    DCN_TEST_EXPECT_ERROR(Make("nodes=5,hops=4").CheckEffects(),
                          "hops=4 has no effect with nodes=5");
    DCN_TEST_EXPECT_ERROR(DcnScenarioRecipe("scenario=x,pods=3").CreateParts(),
                          "scenario=x has flows of its own, but here flows are drawn again and "
                          "again");
    DCN_TEST_EXPECT_ERROR(DcnScenarioRecipe("scenario=x,pods=3").Create(),
                          "pods=3 has no effect with scenario=x");
    DCN_TEST_EXPECT_ERROR(DcnScenarioRecipe("dcqcn_g=0.1", "--").Create(),
                          "dcqcn_g=0.1 has no effect with --cc=dctcp");
}

/// Bad keys and values are refused in one sentence.
DCN_TEST_CASE(ErrorTestCase, "bad recipes are refused")
{
    DCN_TEST_EXPECT_ERROR(Make("rack=1"),
                          "\"rack\" is no key of a test; keys are kind, nodes, hops, theta, "
                          "rate, delay, seed, mode, sizes");
    DCN_TEST_EXPECT_ERROR(Make("Node_s=1"),
                          "\"Node_s\" is no key of a test, did you mean nodes? Keys are kind, "
                          "nodes, hops, theta, rate, delay, seed, mode, sizes");
    DCN_TEST_EXPECT_ERROR(Make("theta"), "\"theta\" is not of the form key=value");
    DCN_TEST_EXPECT_ERROR(Make("theta=1,theta=1"), "the key \"theta\" is given twice");
    const std::string several = ", a range LOW:HIGH or a choice A+B, but it is \"";
    const std::map<std::string, std::string> expected{
        {"nodes", "a whole number from 1 to 99" + several},
        {"theta", "a number from -10 to 1000000" + several},
        {"rate", "a rate such as 10Gbps, from 1 to 1000000000000 bps" + several},
        {"delay", "a time such as 1us, from 0 to 1000000000 ns" + several},
        {"seed", "one whole number from 0 to 9, but it is \""},
        {"kind", "one of path, fabric, or several joined by +, but it is \""},
        {"mode", "one of up, down, but it is \""},
        {"sizes", "a text without commas, but it is \""},
    };
    const std::map<std::string, std::vector<std::string>> bad{
        {"nodes", {"x", "0", "100", "-1", "1.5", "3:2", "1:2:3", "1+", "0:2", "1:2:exp"}},
        {"theta", {"1:", "nan", "2:1", "-1:5:log", "0:5:log"}},
        {"rate", {"10", "0bps", "1Gps", "10Gbps:1Gbps"}},
        {"delay", {"1", "1m", "0.1ns", "2s"}},
        {"seed", {"1:2", "1+2", "10"}},
        {"kind", {"fabrics", "path+", "path:fabric"}},
        {"mode", {"left", "up+down"}},
        {"sizes", {"a+", "a,b"}},
    };
    for (const auto& [name, values] : bad)
    {
        for (const std::string& value : values)
        {
            DcnRecipe recipe = Make("");
            DCN_TEST_EXPECT_ERROR(recipe.Set(name, value),
                                  name + " must be " + expected.at(name) + value + "\"");
        }
    }
    DcnScenarioRecipe recipe("", "--");
    DCN_TEST_EXPECT_ERROR(recipe.Set("load", "2"),
                          "--load must be a number from 0 to 1" + several + "2\"");
    DCN_TEST_EXPECT_ERROR(recipe.SetNetwork("load=0.3"),
                          "\"load\" is no key of the network configuration, but of the scenario: "
                          "--load=0.3");
    // every key of network.csv is named
    const std::string unknown = DcnSentenceOf([&]() { recipe.SetNetwork("foo=1"); });
    const std::size_t keys = unknown.find("; keys of network.csv: ");
    NS_TEST_ASSERT_MSG_NE(keys, std::string::npos, unknown);
    for (const DcnNetworkConfig::Key& key : DcnNetworkConfig::GetAllKeys())
    {
        const std::string list = unknown.substr(keys + 22) + ",";
        NS_TEST_EXPECT_MSG_NE(list.find(" " + key.name + ","), std::string::npos, key.name);
    }
    // congestion controls of ns-3's TCP are another method
    for (const char* name : {"cubic", "TcpCubic", "ns3::TcpCubic", "tcpcubic"})
    {
        const std::string sentence = DcnSentenceOf([&]() { recipe.Set("cc", name); });
        const std::string end = std::string(", but it is \"") + name +
                                "\"; the method tcp has it: tcp:Transport=ns3::TcpCubic";
        NS_TEST_EXPECT_MSG_EQ(sentence.substr(sentence.find(", but it is")), end, sentence);
    }
    const std::string none = DcnSentenceOf([&]() { recipe.Set("cc", "foo"); });
    NS_TEST_EXPECT_MSG_EQ(none.substr(none.find(", but it is")), ", but it is \"foo\"", none);
}

/// The scenario of a recipe.
DCN_TEST_CASE(ScenarioTestCase, "scenarios of recipes")
{
    const std::map<std::string, std::size_t> hosts{
        {"topology=fabric", 2 * 4 * 4},
        {"topology=leaf-spine", 8 * 4},
        {"topology=fat-tree", 4 * 4 * 4 / 4},
        {"topology=dumbbell", 2 * 10},
        {"topology=parking-lot", 4 * 1 + 2},
        {"topology=dumbbell,hostsPerRack=3", 2 * 3},
    };
    for (const auto& [text, n] : hosts)
    {
        const auto parts = DcnScenarioRecipe(text).CreateParts();
        NS_TEST_EXPECT_MSG_EQ(parts.topology->GetHosts().size(), n, text);
        NS_TEST_EXPECT_MSG_EQ(parts.spec.nFlows, 2000, text);
    }
    const auto parts = DcnScenarioRecipe("cc=hpcc,hpcc_eta=0.8,duration=2ms,load=0.25,sigma=1,"
                                         "sizes=exp:20000,matrix=incast:5,seed=9,"
                                         "linkDelay=500ns,hostRate=25Gbps,preset=paper")
                           .CreateParts();
    NS_TEST_EXPECT_MSG_EQ(parts.spec.durationNs, 2'000'000, "duration");
    NS_TEST_EXPECT_MSG_EQ(parts.spec.nFlows, 0, "no number of flows");
    NS_TEST_EXPECT_MSG_EQ(parts.spec.load, 0.25, "load");
    NS_TEST_EXPECT_MSG_EQ(parts.spec.sigma, 1, "sigma");
    NS_TEST_EXPECT_MSG_EQ(parts.spec.sizes, "exp:20000", "sizes");
    NS_TEST_EXPECT_MSG_EQ(parts.spec.matrix, "incast:5", "matrix");
    NS_TEST_EXPECT_MSG_EQ(parts.spec.seed, 9, "seed");
    NS_TEST_EXPECT_MSG_EQ(parts.spec.ecmpSeed, 9, "seed of the paths");
    NS_TEST_EXPECT_MSG_EQ(parts.network->congestionControl, "hpcc", "cc");
    NS_TEST_EXPECT_MSG_EQ(parts.network->GetOwn("hpcc_eta"), 0.8, "key of network.csv");
    NS_TEST_EXPECT_MSG_EQ(parts.network->GetOwn("hpcc_mi_threshold"), 5, "preset");
    NS_TEST_EXPECT_MSG_EQ(parts.topology->GetSlowestHostRate(), 25'000'000'000, "rate");
    NS_TEST_EXPECT_MSG_EQ(parts.topology->GetLink(0).delayNs, 500, "delay");

    // recipes were made before this control is registered
    DcnNetworkConfig::AddCongestionControl({"test-late"});
    NS_TEST_EXPECT_MSG_EQ(
        DcnScenarioRecipe("cc=test-late").CreateParts().network->congestionControl,
        "test-late",
        "a control that is registered later");

    // a drawn recipe, as text, gives the same scenario; so do the options of a program
    const std::string text = "load=0.3:0.8,cc=dctcp+timely,window_bytes=9000:18000,flows=50";
    const DcnScenarioRecipe drawn = DcnScenarioRecipe(text).Draw(5);
    std::optional<DcnLoadReport> load;
    const auto scenario = DcnScenarioRecipe(drawn.ToText()).Create(&load);
    NS_TEST_ASSERT_MSG_EQ(load.has_value(), true, "load report");
    NS_TEST_EXPECT_MSG_EQ(load->askedLoad, drawn.GetNumber("load"), "the load that was drawn");
    DcnScenarioOptions options;
    options.Set("load", "0.3:0.8");
    options.Set("cc", "dctcp+timely");
    options.Set("network", "window_bytes=9000:18000");
    options.Set("flows", "50");
    options.Set("seed", "5");
    const std::string several =
        " has several values, but one scenario is asked for: run all of them by dcn-compare, which "
        "takes values joined by commas as in --cc=hpcc,dcqcn, or let --seed draw one by --draw";
    DCN_TEST_EXPECT_ERROR(options.Create(), "--load=0.3:0.8" + several);
    DCN_TEST_EXPECT_ERROR(options.CreateParts(), "--load=0.3:0.8" + several);
    options.Set("load", "0.2+0.4");
    DCN_TEST_EXPECT_ERROR(options.MakeDrawnRecipe(), "--load=0.2+0.4" + several);
    options.Set("load", "0.3");
    DCN_TEST_EXPECT_ERROR(options.Create(), "--cc=dctcp+timely" + several);
    options.Set("cc", "dctcp");
    DCN_TEST_EXPECT_ERROR(options.Create(),
                          "--network=window_bytes=9000:18000 has several values, but one scenario "
                          "is asked for: run all of them by the Python module, as in "
                          "dcn.sweep(methods, window_bytes=[...]), or let --seed draw one by --draw");
    options.Set("network", "");
    DCN_TEST_EXPECT_ERROR(options.Create(), "no error");
    options.Set("load", "0.3:0.8");
    options.Set("cc", "dctcp+timely");
    options.Set("network", "window_bytes=9000:18000");
    options.Set("draw", "true");
    const auto same = options.Create();
    NS_TEST_EXPECT_MSG_EQ(options.MakeDrawnRecipe().ToText(), drawn.ToText(), "as drawn");
    NS_TEST_EXPECT_MSG_EQ(
        (same->GetNetworkConfig()->GetKeys() == scenario->GetNetworkConfig()->GetKeys()),
        true,
        "configuration");
    for (std::size_t i = 0; i < 50; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(same->GetFlows()[i].startNs,
                              scenario->GetFlows()[i].startNs,
                              "flow " << i);
    }
    NS_TEST_EXPECT_MSG_EQ(options.MakeRecipe().ToText(),
                          "load=0.3:0.8,flows=50,seed=5,cc=dctcp+timely,"
                          "window_bytes=9000:18000",
                          "recipe of the options");
    NS_TEST_EXPECT_MSG_EQ(
        (options.CreateParts().network->GetKeys() == scenario->GetNetworkConfig()->GetKeys()),
        true,
        "parts are drawn, too");
    options.Set("load", "0.3");
    options.Set("cc", "dctcp");
    options.Set("network", "");
    DCN_TEST_EXPECT_ERROR(options.Create(),
                          "--draw has no effect: no option of the scenario is a range such as "
                          "--load=0.3:0.8 or a choice such as --cc=dctcp+hpcc");

    // defaults of a program hold where the option has an effect and is not given
    DcnScenarioOptions own;
    CommandLine cmd;
    own.AddTo(cmd, {{"flows", "30"}, {"loadRule", "exact"}, {"sizes", "exp:9000"}});
    own.Set("sizes", "hadoop");
    NS_TEST_EXPECT_MSG_EQ(own.MakeRecipe().ToText(),
                          "sizes=hadoop,flows=30,loadRule=exact",
                          "defaults, and an option");
    own.Set("duration", "1ms");
    NS_TEST_EXPECT_MSG_EQ(own.MakeRecipe().ToText(),
                          "sizes=hadoop,duration=1ms",
                          "a duration takes the place of a number of flows");
    own.Set("duration", "");
    own.Set("sizes", "");
    own.Set("scenario", "DIR");
    NS_TEST_EXPECT_MSG_EQ(own.MakeRecipe().ToText(), "scenario=DIR", "flows of a directory");
}

/// Several values joined by commas are several recipes; a choice of a recipe is refused.
DCN_TEST_CASE(KeyOptionsTestCase, "options that are the keys of a recipe")
{
    using Key = DcnRecipeKey;
    const DcnRecipe::Keys keys{{"shape", Key::CHOICE, "round", 0, 0, "round+square", "", "a word"},
                               {"plain", Key::CHOICE, "false", 0, 0, "false+true", "", "a flag"},
                               {"file", Key::TEXT, "", 0, 0, "", "", "a text"},
                               {"level", Key::NUMBER, "", 0, 1, "", "plain=false", "a number"},
                               {"size", Key::WHOLE, "3", 1, 99, "", "file=", "a whole number"},
                               {"depth", Key::WHOLE, "5", 0, 9, "", "level=*", "another"}};
    const auto read = [&keys](std::vector<std::string> arguments) {
        DcnKeyOptions options(keys, "a thing", {{"size", "2,4"}});
        CommandLine cmd;
        options.AddTo(cmd);
        arguments.insert(arguments.begin(), "program");
        std::vector<char*> argv;
        for (std::string& argument : arguments)
        {
            argv.push_back(argument.data());
        }
        DcnParseCommandLine(cmd, static_cast<int>(argv.size()), argv.data());
        std::string text;
        for (const DcnRecipe& recipe : options.Split())
        {
            text += recipe.ToFullText() + "\n";
        }
        for (const std::string& name : options.GetVaried())
        {
            text += name + " ";
        }
        return std::pair(text, options.Describe());
    };
    const std::string plain = "shape=round,plain=false,";
    NS_TEST_EXPECT_MSG_EQ(read({}).first, plain + "size=2\n" + plain + "size=4\nsize ", "defaults");
    NS_TEST_EXPECT_MSG_EQ(read({"--size=7"}).first, plain + "size=7\n", "in place of a default");
    NS_TEST_EXPECT_MSG_EQ(read({"--file=a+b"}).first, plain + "file=a+b\n", "a text is no choice");
    NS_TEST_EXPECT_MSG_EQ(read({"--plain", "--shape=square", "--size=1"}).first,
                          "shape=square,plain=true,size=1\n",
                          "a flag without value");
    std::string product;
    for (const std::string level : {"0.5", "1"})
    {
        for (const std::string size : {"8", "1"})
        {
            for (const std::string depth : {"0", "9", "4"})
            {
                product += plain + "level=" + level + ",size=" + size + ",depth=" + depth + "\n";
            }
        }
    }
    const std::vector<std::string> lists{"--depth=0,9,4", "--size=8,1", "--level=0.5,1"};
    const auto [all, described] = read(lists);
    NS_TEST_EXPECT_MSG_EQ(all, product + "level size depth ", "the first key slowest");
    NS_TEST_EXPECT_MSG_EQ(read(DcnSplit(described, ' ')).first, all, "as described: " << described);
    for (const auto& [argument, sentence] :
         {std::pair("--size=2+4",
                    "--size=2+4 would draw one value; --size=2,4 takes one after the other"),
          std::pair("--level=0:1",
                    "--level=0:1 would draw one value; --level=0,1 takes one after the other"),
          std::pair("--size=2,", "--size=2, has an empty value"),
          std::pair("--size=2,,4", "--size=2,,4 has an empty value"),
          std::pair("--size=2,4,2", "--size names \"2\" twice"),
          std::pair("--depth=2", "--depth=2 has no effect without --level"),
          std::pair("--shape=round,square",
                    "--shape must be one of round, square, but it is \"round,square\"")})
    {
        DCN_TEST_EXPECT_ERROR(read({argument}), sentence);
    }
    DcnKeyOptions single(keys, "a thing");
    CommandLine cmd;
    single.AddTo(cmd);
    std::string argument = "--level=0.5,1";
    char* argv[] = {argument.data(), argument.data()};
    NS_TEST_EXPECT_MSG_EQ(single.GetOne().ToFullText(), plain + "size=3", "one recipe");
    DcnParseCommandLine(cmd, 2, argv);
    DCN_TEST_EXPECT_ERROR(single.GetOne(),
                          "--level=0.5,1 has several values, but one is taken here");
    DCN_TEST_EXPECT_ERROR(read({"--plain", "--level=1"}),
                          "--level=1 has no effect with --plain=true");
}

/// A key may have an effect with one of several others, or with all but some values of another.
DCN_TEST_CASE(ConditionsTestCase, "alternatives of conditions")
{
    using Key = DcnRecipeKey;
    const DcnRecipe::Keys keys{{"trace", Key::TEXT, "", 0, 0, "", "", ""},
                               {"shape", Key::CHOICE, "ring", 0, 0, "ring+tree", "trace=", ""},
                               {"ranks", Key::WHOLE, "1", 1, 9, "", "trace=", ""},
                               {"chunks", Key::WHOLE, "2", 1, 9, "", "shape=tree|ranks!=1", ""},
                               {"size", Key::NUMBER, "3", 0, 9, "", "trace=*|shape=tree", ""}};
    const auto check = [&keys](const std::string& text) {
        DcnRecipe recipe(keys, "a thing");
        recipe.SetAll(text);
        recipe.CheckEffects();
        return recipe.Get("chunks") + "," + recipe.Get("size");
    };
    for (const auto& [text, values] : {std::pair("", ","),
                                       std::pair("shape=tree", "2,3"),
                                       std::pair("ranks=4,chunks=5", "5,"),
                                       std::pair("ranks=1+4,chunks=5", "5,"),
                                       std::pair("trace=x,size=7", ",7")})
    {
        NS_TEST_EXPECT_MSG_EQ(check(text), values, text);
    }
    for (const auto& [text, sentence] :
         {std::pair("chunks=2", "chunks=2 has no effect with shape=ring"),
          std::pair("ranks=1,chunks=2", "chunks=2 has no effect with shape=ring"),
          std::pair("trace=x,chunks=2", "chunks=2 has no effect with trace=x"),
          std::pair("size=2", "size=2 has no effect with shape=ring"),
          std::pair("ranks=", "the key \"ranks\" has no value: give one, or leave out the key")})
    {
        DCN_TEST_EXPECT_ERROR(check(text), sentence);
    }
    for (const char* text : {"10 Gbps", " 10Gbps", "10Gbps ", "a b", "10", "", "10\tGbps"})
    {
        DataRate rate;
        Time time;
        NS_TEST_EXPECT_MSG_EQ(DcnParseRate(text, rate), false, "no rate: \"" << text << "\"");
        NS_TEST_EXPECT_MSG_EQ(DcnParseTime(text, time), false, "no time: \"" << text << "\"");
    }
    for (const char* text : {"0x10", "0X1P-4", "inf", "nan", " 1", "1 ", "", "1e", "1,5"})
    {
        double number = 0;
        NS_TEST_EXPECT_MSG_EQ(DcnParse(text, number), false, "no number: \"" << text << "\"");
    }
    for (const auto& [text, value] : {std::pair("-2.5E+2", -250.0), std::pair("+.5", 0.5)})
    {
        double number = 0;
        NS_TEST_EXPECT_MSG_EQ(DcnParse(text, number), true, text);
        NS_TEST_EXPECT_MSG_EQ(number, value, text);
    }
    DcnRecipe fraction(keys, "a thing");
    fraction.SetAll("trace=x,size=1.5");
    DCN_TEST_EXPECT_ERROR(fraction.GetWhole("size"), "size must be a whole number, but it is 1.5");
}

DcnTestSuite<DrawTestCase,
             TextTestCase,
             DependenceTestCase,
             ErrorTestCase,
             ScenarioTestCase,
             KeyOptionsTestCase,
             ConditionsTestCase>
    g_dcnScenarioRecipeTestSuite("dcn-scenario-recipe"); //!< the suite

} // namespace
