#! /usr/bin/env python3

# SPDX-License-Identifier: GPL-2.0-only

# Examples that test.py runs to see that they end with status 0.
#
# Each row is the name of a program and its options, whether to run it, and whether to run it under
# valgrind. test.py starts them side by side in one folder two levels below the ns-3 tree, so every
# row has an output folder of its own.

cpp_examples = [
    # every topology
    ("dcn-compare --methods=packet,flowsim,m3,m4,mql,ns3-path:NPaths=500,parsimon --sizes=google-rpc --flows=2000 --out=default || exit 1; python3 ../../contrib/dcn/examples/read-results.py default", "not os.path.exists('cmake-cache/CMakeCache.txt') or 'libmql:INTERNAL' in open('cmake-cache/CMakeCache.txt').read()", "False"),
    ("dcn-compare --topology=fabric --pods=1 --spinesPerPlane=0 --sizes=google-rpc --flows=300 --out=fabric || exit 1; python3 ../../contrib/dcn/examples/read-results.py fabric", "True", "False"),
    ("dcn-compare --topology=leaf-spine --racksPerPod=3 --spinesPerPlane=3 --sizes=google-rpc --flows=300 --out=leaf-spine || exit 1; python3 ../../contrib/dcn/examples/read-results.py leaf-spine", "True", "False"),
    ("dcn-compare --topology=fat-tree --pods=4 --hostRate=25Gbps --sizes=google-rpc --flows=300 --out=fat-tree || exit 1; python3 ../../contrib/dcn/examples/read-results.py fat-tree", "True", "False"),
    ("dcn-compare --topology=dumbbell --hostsPerRack=3 --sizes=google-rpc --flows=300 --out=dumbbell || exit 1; python3 ../../contrib/dcn/examples/read-results.py dumbbell", "True", "False"),
    ("dcn-compare --topology=parking-lot --racksPerPod=3 --sizes=google-rpc --flows=300 --out=parking-lot || exit 1; python3 ../../contrib/dcn/examples/read-results.py parking-lot", "True", "False"),
    # every congestion control; the configuration
    ("dcn-compare --cc=dcqcn --sizes=google-rpc --flows=300 --out=dcqcn || exit 1; python3 ../../contrib/dcn/examples/read-results.py dcqcn", "True", "False"),
    ("dcn-compare --cc=timely --sizes=google-rpc --flows=300 --out=timely || exit 1; python3 ../../contrib/dcn/examples/read-results.py timely", "True", "False"),
    ("dcn-compare --cc=hpcc --sizes=google-rpc --flows=300 --out=hpcc || exit 1; python3 ../../contrib/dcn/examples/read-results.py hpcc", "True", "False"),
    ("dcn-compare --network=window_bytes=9000,pfc=0 --sizes=google-rpc --flows=300 --out=network || exit 1; python3 ../../contrib/dcn/examples/read-results.py network", "True", "False"),
    # attributes that no method of the run reads are named; few flows have no limits
    ("dcn-compare --methods=packet --sizes=google-rpc --flows=100 --ns3::TcpSocket::SegmentSize=500 --ns3::FlowsimEstimator::WindowCap=true --out=unread | grep -c 'ignored: --ns3::TcpSocket::SegmentSize=500 by packet\\|ignored: --ns3::FlowsimEstimator::WindowCap=true by packet\\|without limits: 100 flows are too few' | grep '^3$' || exit 1; "
     "../../build/contrib/dcn/examples/ns3*-dcn-compare* --methods=flowsim --sizes=google-rpc --flows=100 --ns3::DcnPacketNetwork::LosslessHeadroom=true --out=unread | grep -c 'ignored: --ns3::DcnPacketNetwork::LosslessHeadroom=true by flowsim' | grep '^1$' || exit 1; "
     "../../build/contrib/dcn/examples/ns3*-dcn-compare* --methods=packet,flowsim --sizes=google-rpc --flows=400 --ns3::DcnPacketNetwork::LosslessHeadroom=true --out=unread | grep -c 'ignored:\\|without limits' | grep '^0$'", "True", "False"),
    # every kind of workload
    ("dcn-compare --sizes=exp:20000 --sigma=2 --load=0.7 --flows=300 --seed=7 --out=exp || exit 1; python3 ../../contrib/dcn/examples/read-results.py exp", "True", "False"),
    ("dcn-compare --matrix=database --sizes=google-rpc --flows=300 --out=database || exit 1; python3 ../../contrib/dcn/examples/read-results.py database", "True", "False"),
    ("dcn-compare --matrix=web --sizes=google-rpc --flows=300 --out=web || exit 1; python3 ../../contrib/dcn/examples/read-results.py web", "True", "False"),
    ("dcn-compare --matrix=hadoop --sizes=google-rpc --flows=300 --out=hadoop || exit 1; python3 ../../contrib/dcn/examples/read-results.py hadoop", "True", "False"),
    ("dcn-compare --matrix=incast:5 --sizes=google-rpc --flows=300 --out=incast || exit 1; python3 ../../contrib/dcn/examples/read-results.py incast", "True", "False"),
    # losses are explained; a report and queues
    ("dcn-compare --methods=packet,flowsim --matrix=incast:31 --sizes=constant:100000 --network=pfc=0,window_bytes=0 --flows=200 --load=0.9 --out=losses | grep -c 'packets are lost or paused\|packets were lost' | grep 2", "True", "False"),
    ("dcn-compare --methods=packet,flowsim --sizes=google-rpc --flows=100 --queues --report --out=report; grep -c 'Methods' report/report.html || exit 1; python3 ../../contrib/dcn/examples/read-results.py report", "True", "False"),
    # an option that the program does not have: one sentence, not the whole help
    ("dcn-compare --foo=1 2>&1 | grep 'there is no option --foo; --help lists the options'", "True", "False"),
    ("dcn-compare --topolgy=dumbbell 2>&1 | grep 'there is no option --topolgy, did you mean --topology?'", "True", "False"),
    # one scenario has one value of each option
    ("dcn-compare --cc=hpcc+dcqcn 2>&1 | grep 'cc=hpcc+dcqcn has several values'", "True", "False"),
    ("dcn-link --load=0.2+0.4 2>&1 | grep 'load=0.2+0.4 has several values'", "True", "False"),
    ("dcn-compare --methods=flowsim --sizes=google-rpc --flows=50 --load=0.2+0.4 --draw --out=drawn | grep 'load=0.4 '", "True", "False"),
    # several values are several scenarios, with a table and plots; a repeated run keeps what is complete
    ("dcn-compare --methods=flowsim,m3 --sizes=google-rpc --flows=300 --cc=hpcc,dcqcn --load=0.3,0.5 --seeds=2 --out=scenarios || exit 1; "
     "grep -c m3,p99_slowdown,all scenarios/scenarios.csv | grep '^8$' || exit 1; "
     "python3 ../../contrib/dcn/examples/read-results.py scenarios/load-0.3_cc-hpcc_seed-2 || exit 1; "
     "../../build/contrib/dcn/examples/ns3*-dcn-compare* --methods=flowsim,m3 --sizes=google-rpc --flows=300 --cc=hpcc,dcqcn --load=0.3,0.5 --seeds=3 --out=scenarios | grep -c ': kept, ' | grep '^8$'", "True", "False"),
    ("dcn-compare --cc=hpcc,foo --methods=flowsim --out=scenarios-bad 2>&1 | grep 'cc must be one of dctcp'", "True", "False"),
    ("dcn-compare --cc=hpcc,dcqcn --confidence=0.9 --out=scenarios-bad 2>&1 | grep 'confidence is for one scenario, but there are 2'", "True", "False"),
    # a scenario that is written gives the same completion times
    ("dcn-compare --methods=flowsim --sizes=google-rpc --flows=50 --writeScenario=written --out=written-first || exit 1; "
     "../../build/contrib/dcn/examples/ns3*-dcn-compare* --methods=flowsim --scenario=written --out=written-again || exit 1; "
     "cmp written-first/fct.csv written-again/fct.csv", "True", "False"),
    # values that ns-3 would answer by its whole help or by ending the program
    ("dcn-compare --seeds=abc 2>&1 | grep 'error: --seeds must be a whole number (1), but it is .abc'", "True", "False"),
    ("dcn-compare --ns3::DcnPacketNetwork::RetransmissionTimeout=abc 2>&1 | grep 'error: --ns3::DcnPacketNetwork::RetransmissionTimeout must be of the type Time'", "True", "False"),
    # completion times of another simulator as the truth: those of packet give packet no error
    ("dcn-compare --methods=packet --sizes=google-rpc --flows=100 --out=truth || exit 1; "
     "cut -d, -f1,8 truth/fct.csv | sed 's/packet_fct_ns/fct_ns/' > truth.csv; "
     "../../build/contrib/dcn/examples/ns3*-dcn-compare* --methods=packet,flowsim --sizes=google-rpc --flows=100 --truthFile=truth.csv --out=truth-file | grep 'closest to file here: for the p99 packet (0.0 % off), for single flows packet (0.0 % off)'", "True", "False"),
    ("dcn-convert --data=missing 2>&1 | grep 'missing is no folder of data of m3 or m4' || exit 1; "
     "printf '3 1 2\\n2\\n0 2 10Gbps 1us 0\\n1 2 10Gbps 1us 0\\n' > convert-topology.txt; "
     "printf '2\\n0 1 3 100 20000 0.001\\n1 0 3 100 5000 0.0011\\n' > convert-flow.txt; "
     "../../build/contrib/dcn/examples/ns3*-dcn-convert* --topology=convert-topology.txt --flows=convert-flow.txt --method=packet --out=convert || exit 1; "
     "../../build/contrib/dcn/examples/ns3*-dcn-compare* --scenario=convert --truthFile=convert/fct.txt --methods=packet,flowsim --out=convert-truth | grep 'closest to file here: for the p99 packet (0.0 % off), for single flows packet (0.0 % off)'", "True", "False"),
    ("dcn-compare --methods=flowsim --sizes=google-rpc --flows=100 --truthFile=missing.csv 2>&1 | grep 'missing.csv cannot be read (there is no such file)'", "True", "False"),
    # no method is asked for; one cannot answer, and the others do; a run that fails says so
    ("dcn-compare --methods= 2>&1 | grep 'methods= has no value: give one, or leave out the option'", "True", "False"),
    ("dcn-compare --cc=swift --methods='packet, flowsim, m4' --sizes=google-rpc --flows=50 --out=left-out | grep -c 'left out: m4: the model was not trained\\|written: ' | grep 2 || exit 1; python3 ../../contrib/dcn/examples/read-results.py left-out", "True", "False"),
    # a control that the learned methods do not know, with the default methods: all others answer
    ("dcn-compare --cc=swift --sizes=google-rpc --flows=50 --out=left-out-default > left-out-default.txt || exit 1; "
     "grep -c 'left out: m3: the model was not\\|left out: m4: the model was not\\|packet: 50 flows started, 50 fin\\|flowsim: 50 flows started, 50 fin\\|parsimon: 50 flows started, 50 fin' left-out-default.txt | grep '^5$' || exit 1; "
     "grep 'status.: .complete' left-out-default/run.json || exit 1; python3 ../../contrib/dcn/examples/read-results.py left-out-default", "True", "False"),
    # a simulation that is stopped keeps the flows that have ended, with the times of the whole one, and says so
    ("dcn-compare --methods=packet,flowsim --sizes=google-rpc --flows=200 --stopTime=40us --out=stopped > stopped.txt; test $? -eq 2 || exit 1; "
     "../../build/contrib/dcn/examples/ns3*-dcn-compare* --methods=packet,flowsim --sizes=google-rpc --flows=200 --out=not-stopped || exit 1; "
     "cut=$(grep -c ,nan, stopped/fct.csv); test $cut -gt 50 || exit 1; test $cut -lt 190 || exit 1; "
     "grep \"packet: 200 flows started, $((200 - cut)) finished, $cut unfinished (cut by stopTime: \" stopped.txt || exit 1; "
     "grep 'note: the simulation was stopped at 0.04 ms' stopped.txt || exit 1; "
     "grep 'ignored: --stopTime=40us by flowsim' stopped/run.json || exit 1; grep 'status.: .complete' stopped/run.json || exit 1; "
     "grep -v ,nan, stopped/fct.csv | grep -vxFf not-stopped/fct.csv && exit 1; "
     "python3 ../../contrib/dcn/examples/read-results.py stopped", "True", "False"),
    # evaluations with intervals
    ("dcn-cceval --topology=dumbbell --flows=60 --sizes=google-rpc --cc=dctcp,hpcc --trials=20 --metrics=p99_fct,pooled_p90_fct --jobs=2 --store=cceval-store --out=cceval", "True", "False"),
    ("dcn-cceval --topology=dumbbell --duration=50us,100us --sizes=google-rpc --estimator=flowsim --method=control-variate --control=flowsim:LinkEfficiency=0.9 --controlTraces=100 --trials=30 --out=cceval-durations", "True", "False"),
    ("dcn-cceval --topology=dumbbell --flows=45 --sizes=web-search --estimator=flowsim --method=importance --proposal=published --metrics=pooled_p99_fct --trials=160 --out=cceval-published", "True", "False"),
    ("dcn-compare --methods=packet,flowsim --sizes=google-rpc --flows=50 --confidence=0.9 --margin=0.2 --out=confidence", "not os.path.exists('cmake-cache/CMakeCache.txt') or 'libcceval:INTERNAL' in open('cmake-cache/CMakeCache.txt').read()", "False"),
    # scenario directories, and a choice of methods
    ("dcn-compare --scenario=../../contrib/dcn/contrib/dcn-packet/test/cases/d_dctcp_m3_poisson --out=scenario || exit 1; python3 ../../contrib/dcn/examples/read-results.py scenario", "True", "False"),
    ("dcn-compare --methods=flowsim --sizes=google-rpc --flows=300 --out=methods || exit 1; python3 ../../contrib/dcn/examples/read-results.py methods", "True", "False"),
    ("dcn-compare --methods=m3,flowsim,packet --truth=none --sizes=google-rpc --flows=200 --verbose --out=no-truth || exit 1; python3 ../../contrib/dcn/examples/read-results.py no-truth", "True", "False"),
    ("dcn-compare --methods=flowsim,packet,tcp --truth=tcp --sizes=google-rpc --flows=50 --out=two-truths || exit 1; python3 ../../contrib/dcn/examples/read-results.py two-truths", "True", "False"),
    # the collector, on ns-3's TCP and on the packet engine
    ("dcn-collect-tcp --flows=200 --out=collect-tcp", "True", "False"),
    ("dcn-queues --flows=4 --duration=1ms --out=queues", "True", "False"),
    ("dcn-queues --flows=2 --duration=200us --flow=1 --cc=hpcc --out=watch; grep -c '^1,.*,utilisation,' watch/hpcc/control.csv", "True", "False"),
    ("dcn-queues --flow=8 2>&1 | grep 'is no flow; they are 0 to 7'", "True", "False"),
    ("dcn-queues --interval=1 2>&1 | grep 'interval must be a time above 0 such as 10us'", "True", "False"),
    ("dcn-queues --duration=200us --interval=1ms 2>&1 | grep 'at most a quarter of --duration'", "True", "False"),
    # data sets, where there is HDF5
    ("dcn-dataset --kind=path --samples=6 --shardSize=2 --jobs=2 --rules=flows=200 --out=dataset-path", "not os.path.exists('cmake-cache/CMakeCache.txt') or 'DCN_HDF5:INTERNAL=OFF' not in open('cmake-cache/CMakeCache.txt').read()", "False"),
    ("dcn-dataset --kind=fabric --samples=4 --shardSize=2 --rules=flows=200 --out=dataset-fabric", "not os.path.exists('cmake-cache/CMakeCache.txt') or 'DCN_HDF5:INTERNAL=OFF' not in open('cmake-cache/CMakeCache.txt').read()", "False"),
    ("dcn-dataset --kind=path --recipe=published --samples=3 --rules=flows=200 --out=dataset-published", "not os.path.exists('cmake-cache/CMakeCache.txt') or 'DCN_HDF5:INTERNAL=OFF' not in open('cmake-cache/CMakeCache.txt').read()", "False"),
    ("dcn-dataset --scenario=../../contrib/dcn/contrib/dcn-packet/test/cases/a_dctcp_m3_h2 --samples=3 --out=dataset-scenario", "not os.path.exists('cmake-cache/CMakeCache.txt') or 'DCN_HDF5:INTERNAL=OFF' not in open('cmake-cache/CMakeCache.txt').read()", "False"),
    ("own-simulation-dataset --flows=20 --samples=2 --out=dataset-own", "not os.path.exists('cmake-cache/CMakeCache.txt') or 'DCN_HDF5:INTERNAL=OFF' not in open('cmake-cache/CMakeCache.txt').read()", "False"),
    # one idea each
    ("dcn-allreduce --vector=200000 --iterations=2 --out=allreduce", "True", "False"),
    ("dcn-allreduce --vector=200000 --iterations=1 --load=0 --out=allreduce-alone", "True", "False"),
    ("dcn-train-sim --bytes=1e6 --out=train | grep -c 'bus bandwidth' | grep 3", "True", "False"),
    ("dcn-train-sim --model=mixtral-8x7b --modelLayers=4 --sequence=128 --tensor=2 --pipeline=2 --data=4 --expert=4 --shard --engine=flowsim --writeGraph --writeGoal --out=train-model", "True", "False"),
    ("dcn-closed-loop --flows=100 --largest=5", "True", "False"),
    ("attach-flow-monitor", "True", "False"),
    ("attach-global-routing --flows=20", "True", "False"),
    ("shadow-run --flows=20 --out=shadow; python3 ../../contrib/dcn/examples/read-results.py shadow | grep 'ns-3: p99 .* as in summary.csv'", "True", "False"),
    ("dcn-my-topology", "True", "False"),
    ("dcn-new-congestion-control --flows=500", "True", "False"),
    ("dcn-what-if --flows=200", "True", "False"),
    ("tcp-truth --flows=100 --transport=ns3::TcpNewReno", "True", "False"),
    ("dcn-farm --tasks=6 --seconds=0.02 --jobs=2", "True", "False"),
    ("dcn-validate --suite=smoke --scenarios=1 --packetHops=20000 --truth=tcp --methods=packet,flowsim --out=validate-tcp", "True", "False"),
    ("dcn-flowsim --scenario=../../contrib/dcn/contrib/dcn-packet/test/cases/d_dctcp_m3_poisson --windowCap=true --out=stream.csv", "True", "False"),
    ("dcn-validate --suite=smoke --methods=flowsim --truthSeeds=2 --jobs=2 --out=validate", "True", "False"),
    # m3-train on a data set of its own, which a shell makes before: a model of each architecture, a training that is
    # continued after its last epoch, and an evaluation. (Not "and" signs, which test.py would write into XML.)
    ("dcn-dataset --kind=path --samples=8 --rules=flows=60 --out=m3-data || exit 1; "
     "train='../../build/contrib/dcn/examples/ns3*-m3-train* --data=m3-data'; "
     "size='--epochs=2 --width=8 --heads=2 --layers=1 --feedForward=8 --mlp=8'; "
     "$train $size --architecture=published --out=m3-published || exit 1; cp m3-published/weights.bin m3-weights.bin; "
     "$train $size --architecture=published --out=m3-published | grep 'continued after epoch 2' || exit 1; "
     "cmp m3-published/weights.bin m3-weights.bin || exit 1; "
     "$train $size --out=m3-default || exit 1; $train --evaluate=m3-default,m3-published",
     "not os.path.exists('cmake-cache/CMakeCache.txt') or not {'DCN_HDF5:INTERNAL=OFF', 'DCN_TORCH:INTERNAL=OFF'}"
     ".intersection(open('cmake-cache/CMakeCache.txt').read().split())",
     "False"),
    ("m3-sweep --sizes=google-rpc --flows=300 --paths=100 --values=6000,18000 --truth=2 --out=sweep", "True", "False"),
    # paths one by one
    ("dcn-paths --sizes=google-rpc --flows=300 --path=0 --export=path-scenario --methods=packet,flowsim --out=path", "True", "False"),
    # m3 answers with samples, those of the path's own flows among them
    ("dcn-paths --sizes=google-rpc --flows=300 --path=0 --methods=m3 --out=path-m3 | grep 'm3: .* samples of the foreground'", "True", "False"),
    ("dcn-link --sizes=google-rpc --flows=2000 --link=hottest:last-hop --simulators=packet,lean,minim,flowsim --out=link", "True", "False"),
    ("m4-closed-loop --configurations=1 --flows=100 --largest=1 --out=closed-loop", "True", "False"),
    ("m4-closed-loop --largest=4 --out=closed-loop-bad 2>&1 | grep 'error: --largest must be odd.*: take 3 or 5'", "True", "False"),
    ("dcn-parsimon-failures --trials=2 --flows=500 --sizes=google-rpc --out=failures", "True", "False"),
    ("dcn-mql --k=4 --ackBytes=54 --out=mql", "True", "False"),
    ("dcn-mql --k=4 --split=even --pattern=incast --c2a=4 --similarity=0.05 --out=mql-split", "True", "False"),
    ("dcn-mql --topology=two-tier --hosts=16 --radix=8 --split=even --out=mql-two-tier", "True", "False"),
    ("dcn-mql --measured=true --sizes=google-rpc --flows=300 --out=mql-measured", "True", "False"),
    ("dcn-mql-truth --config=duration_s=0.2,load=0.6,arrivals=ge --out=mql-truth", "True", "False"),
    ("dcn-mql-truth --config=duration_s=0.2,warmup_s=0.1,load=0.7,arrivals=ge,engine=ns3 --interval=20ms --out=mql-truth-collector", "True", "False"),
    # a trace: of the same requests for all methods; refused before the first row, with file and line
    ("noc-compare --memory=0+0 --out=noc-trace 2>&1 | grep 'error: node 0 is a memory controller twice' || exit 1; "
     "printf 'cycle,source,destination\\n0,0,1\\n40,1,2\\n90,0,2\\n' > noc-trace.csv; "
     "../../build/contrib/dcn/examples/ns3*-noc-compare* --rows=2 --columns=2 --trace=noc-trace.csv --memory=none --warmUp=0 --cycles=91 --methods=simulation,closed --out=noc-trace | grep ' -  0.00824 ' || exit 1; "
     "grep '^,1,0,nan,0.00824.*,closed,' noc-trace/noc-latency.csv || exit 1; "
     "../../build/contrib/dcn/examples/ns3*-noc-compare* --rows=2 --columns=2 --trace=noc-trace.csv --memory=none --warmUp=0 --cycles=91 --seed=2 --out=noc-trace 2>&1 | grep 'error: --seed=2 has no effect with this --trace' || exit 1; "
     "../../build/contrib/dcn/examples/ns3*-noc-compare* --rows=2 --columns=2 --trace=noc-trace.csv --memory=none --warmUp=0 --cycles=90 --out=noc-trace 2>&1 | grep '^noc-compare: error: noc-trace.csv:4: the packet of cycle 90 is not simulated' || exit 1; "
     "../../build/contrib/dcn/examples/ns3*-noc-compare* --rows=2 --columns=2 --trace=noc-trace.csv --memory=2 --out=noc-trace 2>&1 | grep '^noc-compare: error: noc-trace.csv:3: a packet of the trace goes from 1 to 2, but node 2 is a memory controller' || exit 1", "True", "False"),
    ("noc-compare --rows=4 --columns=4 --hits=0.5 --cycles=20000 --warmUp=2000 --out=noc", "True", "False"),
    ("noc-compare --topology=half-ring --rows=1 --columns=5 --oneLayer --seeds=1 --methods=simulation,chain --out=noc-line", "True", "False"),
    ("noc-compare --hits=0.5 --ingress=4,16 --memoryPeriod=1,2 --loads=0.6 --methods=closed,chain --queues --out=noc-sizes", "True", "False"),
    ("noc-own-network", "True", "False"),
    # figures of the papers: the cheapest, one that is not computable here, and the pages of the stored results
    ("dcn-paper m3-fig3 --jobs=1 --out=paper || exit 1; ../../build/contrib/dcn/examples/ns3*-dcn-paper* m4-table5 --out=paper 2>&1 | grep 'm4-table5 is not computable here' || exit 1; "
     "../../build/contrib/dcn/examples/ns3*-dcn-paper* --all --stored --out=paper | grep 'figures and tables'", "True", "False"),
    ("noc-throttle --policies=none,threshold-global-any,tree,threshold-window:0.3:0.15,fixed-16 --rates=0.5/1 --cycles=5000 --seeds=1 --out=noc-throttle", "True", "False"),
    ("dcn-reference --cases=../../contrib/dcn/contrib/dcn-packet/test/cases --only=_h2 --out=reference", "True", "False"),
]

python_examples = []
